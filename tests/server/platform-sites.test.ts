import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {site as siteSchema} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {placeholderOrigin} from '#server/platform/placeholder-origin.ts'
import {users} from '#server/store/schema/people.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'

const hub = 'https://hub.example.com'
const shop = 'https://shop.example.com'
const newOrigin = () => `https://${randomUUID()}.example`

describe('sites', () => {
  let server: TestServer
  let operator: TestUser
  let admin: TestUser
  let stranger: TestUser
  let origin: string
  let id: string
  beforeAll(async () => {
    server = await createPlatform({config: {publicOrigins: [hub, shop]}})
    operator = await server.createUser()
  })
  beforeEach(async () => {
    admin = await server.createUser()
    stranger = await server.createUser()
    origin = newOrigin()
    const made = await ask(server, 'POST', '/sites/', {
      token: operator.accessToken,
      body: {origin, title: 'Hub', admins: [admin.user.id], metadata: {secret: 'foo'}},
    })
    expect(made.status).toBe(201)
    id = made.body.id
  })
  afterAll(() => server.close())

  const read = async () => (await ask(server, 'GET', `/sites/${id}`, {token: admin.accessToken})).body
  const put = (body: object, token = admin.accessToken) => ask(server, 'PUT', `/sites/${id}`, {token, body})

  test('initialize takes the origin of the request or the placeholder, nothing else', async () => {
    const initialize = (named: string, from: string | null) =>
      ask(server, 'POST', '/sites/initialize/', {token: operator.accessToken, body: {origin: named}, origin: from})
    expect((await initialize(hub, shop)).status).toBe(403)
    expect((await initialize(shop, null)).status).toBe(403)
    expect((await initialize('http://localhost-5c6c0f3e-0000-4000-8000-000000000000', testOrigin)).status).toBe(403)
    expect((await initialize('https://foreign.example', 'https://foreign.example')).status).toBe(403)
    expect((await initialize(shop, shop)).status).toBe(200)
    const placeholder = await placeholderOrigin(server.deps)
    expect(placeholder).toMatch(/^http:\/\/localhost-[0-9a-f-]{36}$/)
    expect((await initialize(placeholder, testOrigin)).body.origin).toBe(placeholder)
  })

  test('the placeholder origin is made once, also by many at once', async () => {
    const made = await Promise.all(Array.from({length: 8}, () => placeholderOrigin(server.deps)))
    expect(new Set(made).size).toBe(1)
  })

  test('initialize says which field is wrong', async () => {
    const wrong = await ask(server, 'POST', '/sites/initialize/', {
      token: operator.accessToken,
      body: {origin: `${hub}/path`},
    })
    expect(wrong.body).toEqual({code: 'bad_request', field: 'origin', detail: 'origin has the wrong form.'})
  })

  test('anonymous callers and strangers see the public fields of the site with that origin', async () => {
    const path = `/sites/?origin=${encodeURIComponent(origin)}`
    for (const token of [undefined, stranger.accessToken, 'atr-wrong-token-000000000000']) {
      const {body} = await ask(server, 'GET', path, {token})
      expect(body.count).toBe(1)
      expect(Object.keys(body.items[0]).sort()).toEqual([
        'accent',
        'description',
        'distribution',
        'favicon',
        'features',
        'id',
        'keywords',
        'logo',
        'origin',
        'tags',
        'title',
      ])
    }
    const {body} = await ask(server, 'GET', path, {token: admin.accessToken})
    expect(body.items[0]).toMatchObject({admins: [admin.user.id], metadata: {secret: 'foo'}})
    expect(z.safeParse(siteSchema, body.items[0]).success).toBe(true)
  })

  test('without an origin a list holds what the caller administers', async () => {
    const origins = async (token?: string) => {
      const {body} = await ask(server, 'GET', '/sites/?ordering=origin&limit=100', {token})
      expect(body.count).toBe(body.items.length)
      return body.items.map((item: {origin: string}) => item.origin)
    }
    expect(await origins()).toEqual([])
    expect(await origins(stranger.accessToken)).toEqual([])
    expect(await origins(admin.accessToken)).toEqual([origin])
    expect(await origins(operator.accessToken)).toContain(origin)
  })

  test('an unknown origin is an empty list, a malformed one a 400', async () => {
    expect((await ask(server, 'GET', '/sites/?origin=https://unknown.example')).body).toEqual({count: 0, items: []})
    expect((await ask(server, 'GET', '/sites/?origin=unknown')).body).toEqual({
      code: 'bad_request',
      field: 'origin',
      detail: 'origin has the wrong form.',
    })
  })

  test('an admin writes the whole object with the changed key merged in', async () => {
    const before = await read()
    const {status, body} = await put({
      ...before,
      title: 'Foo',
      keywords: ['foo', 'bar'],
      features: {sora: {enabled: false}},
      distribution: {force_inviter_id: admin.user.id},
      accent: {hue: 120, chroma: 0.1},
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      origin,
      title: 'Foo',
      keywords: ['foo', 'bar'],
      features: {sora: {enabled: false}},
      distribution: {force_inviter_id: admin.user.id},
      accent: {hue: 120, chroma: 0.1},
      metadata: {secret: 'foo'},
      logo: null,
      favicon: null,
      description: null,
      tags: [],
      editable: true,
      admins: [expect.any(String)],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await read()).keywords).toEqual(['foo', 'bar'])
  })

  test('what is cleared is said to be: a browser that stored the site before would keep a field that is left out', async () => {
    const clearable = {
      title: 'Foo',
      logo: '/logo.png',
      favicon: '/icon.png',
      description: 'Foo',
      accent: {hue: 1, chroma: 0.1},
    }
    const stored = (await put(clearable)).body
    const cleared = Object.fromEntries(Object.keys(clearable).map((key) => [key, null]))
    expect((await put(cleared)).status).toBe(200)
    const {body} = await ask(server, 'GET', `/sites/?origin=${encodeURIComponent(origin)}`)
    expect({...stored, ...body.items[0]}).toMatchObject(cleared)
  })

  test.each([
    ['id', '00000000-0000-4000-8000-000000000000'],
    ['origin', shop],
    ['created_at', '2020-01-01T00:00:00.000Z'],
  ])('%s is immutable', async (key, value) => {
    const before = await read()
    const {status, body} = await put({...before, title: 'bar', [key]: value})
    expect([status, body.field]).toEqual([400, key])
    expect(await read()).toEqual(before)
  })

  test('a stale object is a conflict and changes nothing', async () => {
    const stale = await read()
    server.advance(1000)
    expect((await put({...stale, title: 'first'})).status).toBe(200)
    expect((await put({...stale, title: 'second'})).status).toBe(409)
    expect((await read()).title).toBe('first')
  })

  test.each([
    ['admins', []],
    ['admins', ['00000000-0000-4000-8000-000000000000']],
    ['admins', ['foo']],
    ['logo', 'https://foreign.example/logo.png'],
    ['logo', '//foreign.example/logo.png'],
    ['favicon', 'javascript:alert(1)'],
    ['favicon', 'data:image/svg+xml,<svg/>'],
    ['role', 'operator'],
  ])('refuses %s %j', async (key, value) => {
    const {status, body} = await put({[key]: value})
    expect([status, body.field]).toEqual([400, key])
  })

  test.each([
    [{discord: {enabled: true, url: 'javascript:alert(1)'}}, 'features.support.discord.url'],
    [{discord: {url: 'discord.example'}}, 'features.support.discord.url'],
    [{discord: {url: 7}}, 'features.support.discord.url'],
    [{wechat: {enabled: true, qr: 'https://foreign.example/qr.png'}}, 'features.support.wechat.qr'],
  ])('refuses the support entry %j', async (support, field) => {
    const {status, body} = await put({features: {support}})
    expect([status, body.field]).toEqual([400, field])
  })

  test('takes a support link, and a brand colour within bounds', async () => {
    const features = {support: {enabled: true, discord: {enabled: true, url: 'https://discord.example/foo'}}}
    expect((await put({features})).body.features).toEqual(features)
    for (const accent of [
      {hue: 361, chroma: 0.1},
      {hue: -1, chroma: 0.1},
      {hue: 1, chroma: 2},
    ])
      expect((await put({accent})).status).toBe(400)
  })

  test('words that look like markup are data, for everybody who reads the site', async () => {
    const title = '"><script>alert(1)</script>'
    expect((await put({title, keywords: ['</title><b>']})).body).toMatchObject({title, keywords: ['</title><b>']})
    const {body, headers} = await ask(server, 'GET', `/sites/?origin=${encodeURIComponent(origin)}`)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body.items[0].title).toBe(title)
  })

  test('an inviter is an account here that was not deleted; one that is stored already may stay', async () => {
    const gone = await server.createUser()
    const write = (id: string, key = 'default_inviter_id') => put({distribution: {[key]: id}})
    expect((await write(gone.user.id)).status).toBe(200)
    await server.deps.database.asSystem((transaction) =>
      transaction.update(users).set({deletedAt: server.deps.now()}).where(eq(users.id, gone.user.id)),
    )
    expect((await write(gone.user.id)).status).toBe(200)
    for (const id of ['foo; Domain=example.com', 'foo', '00000000-0000-4000-8000-000000000000', gone.user.id]) {
      const {status, body} = await write(id, 'force_inviter_id')
      expect([status, body.field], id).toEqual([400, 'distribution.force_inviter_id'])
    }
    expect((await write(stranger.user.id)).body.distribution).toEqual({default_inviter_id: stranger.user.id})
    const made = await ask(server, 'POST', '/sites/', {
      token: operator.accessToken,
      body: {origin: newOrigin(), distribution: {default_inviter_id: gone.user.id}},
    })
    expect([made.status, made.body.field]).toEqual([400, 'distribution.default_inviter_id'])
  })

  test('a deleted account becomes no admin again', async () => {
    const gone = await server.createUser()
    await server.deps.database.asSystem((transaction) =>
      transaction.update(users).set({deletedAt: server.deps.now()}).where(eq(users.id, gone.user.id)),
    )
    const {status, body} = await put({admins: [admin.user.id, gone.user.id]})
    expect([status, body.field]).toEqual([400, 'admins'])
  })

  test('images come from the own store or the own page', async () => {
    const logo = 'http://127.0.0.1:4000/services/platform/api/v1/files/AAAAAAAAAAAAAAAAAAAAAA/foo.png'
    expect((await put({logo, favicon: '/favicon.svg'})).body).toMatchObject({logo, favicon: '/favicon.svg'})
  })

  test('nobody but its admins and the operator reads or writes it by id', async () => {
    const foreignRead = await ask(server, 'GET', `/sites/${id}`, {token: stranger.accessToken})
    const missingRead = await ask(server, 'GET', '/sites/00000000-0000-4000-8000-000000000000', {
      token: stranger.accessToken,
    })
    expect([foreignRead.status, foreignRead.body]).toEqual([404, missingRead.body])
    expect((await put({title: 'foo'}, stranger.accessToken)).status).toBe(404)
    expect((await put({title: 'By the operator'}, operator.accessToken)).status).toBe(200)
  })

  test('an admin of one site is nobody at another of the same server', async () => {
    const at = (path: string, method = 'GET', body?: object) =>
      ask(server, method, path, {token: admin.accessToken, origin: shop, body})
    const second = newOrigin()
    const made = await ask(server, 'POST', '/sites/', {
      token: operator.accessToken,
      body: {origin: second, title: 'Two', admins: [operator.user.id]},
    })
    const missing = await at('/sites/00000000-0000-4000-8000-000000000000')
    const write = {title: 'Mine', admins: [admin.user.id], distribution: {force_inviter_id: admin.user.id}}
    for (const answer of [await at(`/sites/${made.body.id}`), await at(`/sites/${made.body.id}`, 'PUT', write)])
      expect([answer.status, answer.body]).toEqual([404, missing.body])
    const {body} = await ask(server, 'GET', `/sites/?origin=${encodeURIComponent(second)}`, {
      token: admin.accessToken,
    })
    expect(body.items[0]).toEqual({
      title: 'Two',
      id: expect.any(String),
      origin: expect.any(String),
      logo: null,
      favicon: null,
      description: null,
      keywords: [],
      features: {},
      distribution: {},
      accent: null,
      tags: [],
    })
    for (const secret of ['admins', 'editable', 'metadata']) expect(body.items[0]).not.toHaveProperty(secret)
    // at the own one they are
    expect((await put({title: 'Still mine'})).status).toBe(200)
  })

  test('an admin can hand the site over but not leave it without one', async () => {
    expect((await put({admins: [operator.user.id]})).status).toBe(200)
    expect((await put({title: 'foo'})).status).toBe(404)
    expect((await put({admins: [admin.user.id, admin.user.id]}, operator.accessToken)).body.admins).toEqual([
      admin.user.id,
    ])
  })

  test('only operators create sites, each origin once', async () => {
    const create = (token: string, body: object) => ask(server, 'POST', '/sites/', {token, body})
    expect((await create(admin.accessToken, {origin: newOrigin()})).status).toBe(403)
    expect((await create(operator.accessToken, {title: 'foo'})).body.field).toBe('origin')
    expect((await create(operator.accessToken, {origin})).body).toEqual({
      code: 'duplication',
      field: 'origin',
      detail: 'There is a site with this origin already.',
    })
    expect((await create(operator.accessToken, {origin: newOrigin(), id})).body.field).toBe('id')
  })
})
