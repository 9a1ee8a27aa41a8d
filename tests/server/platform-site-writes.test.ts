import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {users} from '#server/store/schema/people.ts'
import {type TestServer, type TestUser} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'
import {shop, newOrigin, hub, createSite} from './platform-sites.fixtures.ts'

describe('what an admin writes', () => {
  let server: TestServer
  let operator: TestUser
  let site: Awaited<ReturnType<typeof createSite>>
  beforeAll(async () => {
    server = await createPlatform({config: {publicOrigins: [hub, shop]}})
    operator = await server.createUser()
  })
  beforeEach(async () => {
    site = await createSite(server, operator)
  })
  afterAll(() => server.close())

  test('an admin writes the whole object with the changed key merged in', async () => {
    const before = await site.read()
    const {status, body} = await site.put({
      ...before,
      title: 'Foo',
      keywords: ['foo', 'bar'],
      features: {sora: {enabled: false}},
      distribution: {force_inviter_id: site.admin.user.id},
      accent: {hue: 120, chroma: 0.1},
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: site.id,
      origin: site.origin,
      title: 'Foo',
      keywords: ['foo', 'bar'],
      features: {sora: {enabled: false}},
      distribution: {force_inviter_id: site.admin.user.id},
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
    expect((await site.read()).keywords).toEqual(['foo', 'bar'])
  })

  test('what is cleared is said to be: a browser that stored the site before would keep a field that is left out', async () => {
    const clearable = {
      title: 'Foo',
      logo: '/logo.png',
      favicon: '/icon.png',
      description: 'Foo',
      accent: {hue: 1, chroma: 0.1},
    }
    const stored = (await site.put(clearable)).body
    const cleared = Object.fromEntries(Object.keys(clearable).map((key) => [key, null]))
    expect((await site.put(cleared)).status).toBe(200)
    const {body} = await ask(server, 'GET', `/sites/?origin=${encodeURIComponent(site.origin)}`)
    expect({...stored, ...body.items[0]}).toMatchObject(cleared)
  })

  test.each([
    ['id', '00000000-0000-4000-8000-000000000000'],
    ['origin', shop],
    ['created_at', '2020-01-01T00:00:00.000Z'],
  ])('%s is immutable', async (key, value) => {
    const before = await site.read()
    const {status, body} = await site.put({...before, title: 'bar', [key]: value})
    expect([status, body.field]).toEqual([400, key])
    expect(await site.read()).toEqual(before)
  })

  test('a stale object is a conflict and changes nothing', async () => {
    const stale = await site.read()
    server.advance(1000)
    expect((await site.put({...stale, title: 'first'})).status).toBe(200)
    expect((await site.put({...stale, title: 'second'})).status).toBe(409)
    expect((await site.read()).title).toBe('first')
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
    const {status, body} = await site.put({[key]: value})
    expect([status, body.field]).toEqual([400, key])
  })

  test.each([
    [{discord: {enabled: true, url: 'javascript:alert(1)'}}, 'features.support.discord.url'],
    [{discord: {url: 'discord.example'}}, 'features.support.discord.url'],
    [{discord: {url: 7}}, 'features.support.discord.url'],
    [{wechat: {enabled: true, qr: 'https://foreign.example/qr.png'}}, 'features.support.wechat.qr'],
  ])('refuses the support entry %j', async (support, field) => {
    const {status, body} = await site.put({features: {support}})
    expect([status, body.field]).toEqual([400, field])
  })

  test('takes a support link, and a brand colour within bounds', async () => {
    const features = {support: {enabled: true, discord: {enabled: true, url: 'https://discord.example/foo'}}}
    expect((await site.put({features})).body.features).toEqual(features)
    for (const accent of [
      {hue: 361, chroma: 0.1},
      {hue: -1, chroma: 0.1},
      {hue: 1, chroma: 2},
    ])
      expect((await site.put({accent})).status).toBe(400)
  })

  test('words that look like markup are data, for everybody who reads the site', async () => {
    const title = '"><script>alert(1)</script>'
    expect((await site.put({title, keywords: ['</title><b>']})).body).toMatchObject({title, keywords: ['</title><b>']})
    const {body, headers} = await ask(server, 'GET', `/sites/?origin=${encodeURIComponent(site.origin)}`)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body.items[0].title).toBe(title)
  })

  test('an inviter is an account here that was not deleted; one that is stored already may stay', async () => {
    const gone = await server.createUser()
    const write = (id: string, key = 'default_inviter_id') => site.put({distribution: {[key]: id}})
    expect((await write(gone.user.id)).status).toBe(200)
    await server.deps.database.asSystem((transaction) =>
      transaction.update(users).set({deletedAt: server.deps.now()}).where(eq(users.id, gone.user.id)),
    )
    expect((await write(gone.user.id)).status).toBe(200)
    for (const id of ['foo; Domain=example.com', 'foo', '00000000-0000-4000-8000-000000000000', gone.user.id]) {
      const {status, body} = await write(id, 'force_inviter_id')
      expect([status, body.field], id).toEqual([400, 'distribution.force_inviter_id'])
    }
    expect((await write(site.stranger.user.id)).body.distribution).toEqual({default_inviter_id: site.stranger.user.id})
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
    const {status, body} = await site.put({admins: [site.admin.user.id, gone.user.id]})
    expect([status, body.field]).toEqual([400, 'admins'])
  })

  test('images come from the own store or the own page', async () => {
    const logo = 'http://127.0.0.1:4000/services/platform/api/v1/files/AAAAAAAAAAAAAAAAAAAAAA/foo.png'
    expect((await site.put({logo, favicon: '/favicon.svg'})).body).toMatchObject({logo, favicon: '/favicon.svg'})
  })
})
