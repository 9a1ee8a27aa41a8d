import {randomUUID} from 'node:crypto'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createPkce, createBrowser, getCode, password, query, registerPath} from './auth-support.ts'
import {createClients, createContractServer} from './contract.fixtures.ts'
import {testOrigin, type TestServer} from './harness.ts'

/* Sign-in by the app's own client on the whole server. */

let installation: Awaited<ReturnType<typeof createContractServer>>
let server: TestServer
let clients: ReturnType<typeof createClients>

beforeAll(async () => {
  installation = await createContractServer()
  server = installation.server
  await server.createUser() // the operator
  clients = createClients(server, {})
})
afterAll(() => installation.close())

describe('sign-in', () => {
  test('code, refresh and revocation by the client of the app', async () => {
    const email = `${randomUUID()}@example.com`
    const {verifier, challenge} = createPkce()
    const redirect = `${testOrigin}/auth/callback?redirect=%2Fchatgpt`
    const search = query({redirect, code_challenge: challenge, code_challenge_method: 'S256'})
    const registered = await createBrowser(server).submit(`${registerPath}${search}`, {email, password})
    const code = new URL(registered.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const {oauth} = clients
    const token = await oauth.exchangeCode({code, verifier, redirectUri: redirect})
    expect(token).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: expect.any(Number),
    })
    const next = await oauth.refresh(token.refresh_token ?? '')
    expect(next.access_token).not.toBe(token.access_token)
    const {management} = createClients(server, {token: next.access_token})
    expect(await management.users.me()).toEqual({
      email,
      id: expect.any(String),
      username: expect.any(String),
      date_joined: expect.any(String),
      is_verified: false,
    })
    await oauth.revoke(next.refresh_token ?? '')
    await expect(management.users.me()).rejects.toHaveProperty('status', 401)
    await expect(oauth.refresh(next.refresh_token ?? '')).rejects.toHaveProperty('code', 'invalid_grant')
  })

  test('a code that comes twice ends the sign-in it began', async () => {
    const email = `${randomUUID()}@example.com`
    await server.createUser({email, password})
    const redirect = `${testOrigin}/auth/callback`
    const code = await getCode(server, email, {redirect})
    const {oauth} = clients
    const {access_token: token} = await oauth.exchangeCode({code, redirectUri: redirect})
    await expect(oauth.exchangeCode({code, redirectUri: redirect})).rejects.toHaveProperty('code', 'invalid_grant')
    await expect(createClients(server, {token}).management.users.me()).rejects.toHaveProperty('status', 401)
  })

  test('the code alone, as the specified client sends it', async () => {
    const email = `${randomUUID()}@example.com`
    await server.createUser({email, password})
    const redirect = `${testOrigin}/auth/callback?redirect=/chatgpt`
    const code = await getCode(server, email, {redirect})
    const response = await server.call('POST', '/services/auth/oauth2/v1/token', {body: {code}})
    expect([response.status, Object.keys(await response.json()).sort()]).toEqual([
      200,
      ['access_token', 'expires_in', 'refresh_token', 'token_type'],
    ])
  })
})
