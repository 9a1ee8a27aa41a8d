import {randomUUID} from 'node:crypto'
import {expect} from 'vitest'
import type {TestServer, TestUser} from './harness.ts'
import {ask} from './platform.fixtures.ts'

export const hub = 'https://hub.example.com'
export const shop = 'https://shop.example.com'
export const newOrigin = () => `https://${randomUUID()}.example`

/** A new site with an admin of its own, and a user who has nothing to do with it. */
export async function createSite(server: TestServer, operator: TestUser) {
  const [admin, stranger] = [await server.createUser(), await server.createUser()]
  const origin = newOrigin()
  const {status, body} = await ask(server, 'POST', '/sites/', {
    token: operator.accessToken,
    body: {origin, title: 'Hub', admins: [admin.user.id], metadata: {secret: 'foo'}},
  })
  expect(status).toBe(201)
  const id: string = body.id
  return {
    admin,
    stranger,
    origin,
    id,
    read: async () => (await ask(server, 'GET', `/sites/${id}`, {token: admin.accessToken})).body,
    put: (body: object, token = admin.accessToken) => ask(server, 'PUT', `/sites/${id}`, {token, body}),
  }
}
