import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {placeholderOrigin} from '#server/platform/placeholder-origin.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'

const hub = 'https://hub.example.com'
const shop = 'https://shop.example.com'

describe('the first site', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createPlatform()
  })
  afterAll(() => server.close())

  test('any signed-in user opens it, once, however many ask at once, for the operators; later origins need one', async () => {
    const operator = await server.createUser()
    const member = await server.createUser()
    const origin = testOrigin
    const initialize = () => ask(server, 'POST', '/sites/initialize/', {token: member.accessToken, body: {origin}})
    const answers = await Promise.all([initialize(), initialize(), initialize()])
    expect(new Set(answers.map(({status, body}) => `${status} ${body.id}`)).size).toBe(1)
    expect(answers[0]?.body).toEqual({
      origin,
      id: expect.any(String),
      title: null,
      logo: null,
      favicon: null,
      description: null,
      keywords: [],
      features: {},
      distribution: {},
      accent: null,
      tags: [],
    })
    expect(answers[0]?.body).not.toHaveProperty('admins')
    const known = await ask(server, 'POST', '/sites/initialize/', {token: operator.accessToken, body: {origin}})
    expect([known.body.origin, known.body.admins]).toEqual([origin, [operator.user.id]])

    const other = 'http://localhost:4000'
    const asMember = await ask(server, 'POST', '/sites/initialize/', {
      token: member.accessToken,
      body: {origin: other},
      origin: other,
    })
    expect([asMember.status, asMember.body.code]).toEqual([403, 'forbidden'])
    const asOperator = await ask(server, 'POST', '/sites/initialize/', {
      token: operator.accessToken,
      body: {origin: other},
      origin: other,
    })
    expect([asOperator.body.origin, asOperator.body.admins]).toEqual([other, [operator.user.id]])
    const again = await ask(server, 'POST', '/sites/initialize/', {
      token: member.accessToken,
      body: {origin: other},
      origin: other,
    })
    expect(again.body.id).toBe(asOperator.body.id)
    expect(again.body).not.toHaveProperty('admins')
  })
})

describe('a second address of the installation', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createPlatform({config: {publicOrigins: [hub, shop]}})
  })
  afterAll(() => server.close())

  test('its site is opened by any signed-in user and belongs to the operators', async () => {
    const operator = await server.createUser()
    const second = await server.createUser({role: 'operator'})
    const member = await server.createUser()
    const initialize = (user: TestUser, origin: string, from = origin) =>
      ask(server, 'POST', '/sites/initialize/', {token: user.accessToken, body: {origin}, origin: from})
    expect((await initialize(operator, hub)).body.admins).toEqual([operator.user.id])

    const placeholder = await placeholderOrigin(server.deps)
    for (const [origin, from] of [
      [shop, shop],
      [placeholder, testOrigin],
    ] as const) {
      const made = await initialize(member, origin, from)
      expect([made.status, made.body.origin]).toEqual([200, origin])
      expect(made.body).not.toHaveProperty('admins')
      const {body} = await initialize(operator, origin, from)
      expect([body.id, body.admins]).toEqual([made.body.id, [operator.user.id, second.user.id]])
    }
    expect((await initialize(member, testOrigin)).status).toBe(403)
  })
})
