import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {site as siteSchema} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {placeholderOrigin} from '#server/platform/placeholder-origin.ts'
import {testOrigin, type TestServer, type TestUser} from './harness.ts'
import {ask, createPlatform} from './platform.fixtures.ts'
import {shop, newOrigin, hub, createSite} from './platform-sites.fixtures.ts'

describe('sites', () => {
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
    const path = `/sites/?origin=${encodeURIComponent(site.origin)}`
    for (const token of [undefined, site.stranger.accessToken, 'atr-wrong-token-000000000000']) {
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
    const {body} = await ask(server, 'GET', path, {token: site.admin.accessToken})
    expect([body.items[0]?.admins, body.items[0]?.metadata]).toEqual([[site.admin.user.id], {secret: 'foo'}])
    expect(z.safeParse(siteSchema, body.items[0]).success).toBe(true)
  })

  test('without an origin a list holds what the caller administers', async () => {
    const origins = async (token?: string) => {
      const {body} = await ask(server, 'GET', '/sites/?ordering=origin&limit=100', {token})
      expect(body.count).toBe(body.items.length)
      return body.items.map((item: {origin: string}) => item.origin)
    }
    expect(await origins()).toEqual([])
    expect(await origins(site.stranger.accessToken)).toEqual([])
    expect(await origins(site.admin.accessToken)).toEqual([site.origin])
    expect(await origins(operator.accessToken)).toContain(site.origin)
  })

  test('an unknown origin is an empty list, a malformed one a 400', async () => {
    expect((await ask(server, 'GET', '/sites/?origin=https://unknown.example')).body).toEqual({count: 0, items: []})
    expect((await ask(server, 'GET', '/sites/?origin=unknown')).body).toEqual({
      code: 'bad_request',
      field: 'origin',
      detail: 'origin has the wrong form.',
    })
  })

  test('nobody but its admins and the operator reads or writes it by id', async () => {
    const foreignRead = await ask(server, 'GET', `/sites/${site.id}`, {token: site.stranger.accessToken})
    const missingRead = await ask(server, 'GET', '/sites/00000000-0000-4000-8000-000000000000', {
      token: site.stranger.accessToken,
    })
    expect([foreignRead.status, foreignRead.body]).toEqual([404, missingRead.body])
    expect((await site.put({title: 'foo'}, site.stranger.accessToken)).status).toBe(404)
    expect((await site.put({title: 'By the operator'}, operator.accessToken)).status).toBe(200)
  })

  test('an admin of one site is nobody at another of the same server', async () => {
    const at = (path: string, method = 'GET', body?: object) =>
      ask(server, method, path, {token: site.admin.accessToken, origin: shop, body})
    const second = newOrigin()
    const made = await ask(server, 'POST', '/sites/', {
      token: operator.accessToken,
      body: {origin: second, title: 'Two', admins: [operator.user.id]},
    })
    const missing = await at('/sites/00000000-0000-4000-8000-000000000000')
    const write = {title: 'Mine', admins: [site.admin.user.id], distribution: {force_inviter_id: site.admin.user.id}}
    for (const answer of [await at(`/sites/${made.body.id}`), await at(`/sites/${made.body.id}`, 'PUT', write)])
      expect([answer.status, answer.body]).toEqual([404, missing.body])
    const {body} = await ask(server, 'GET', `/sites/?origin=${encodeURIComponent(second)}`, {
      token: site.admin.accessToken,
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
    expect((await site.put({title: 'Still mine'})).status).toBe(200)
  })

  test('an admin can hand the site over but not leave it without one', async () => {
    expect((await site.put({admins: [operator.user.id]})).status).toBe(200)
    expect((await site.put({title: 'foo'})).status).toBe(404)
    expect(
      (await site.put({admins: [site.admin.user.id, site.admin.user.id]}, operator.accessToken)).body.admins,
    ).toEqual([site.admin.user.id])
  })

  test('only operators create sites, each origin once', async () => {
    const create = (token: string, body: object) => ask(server, 'POST', '/sites/', {token, body})
    expect((await create(site.admin.accessToken, {origin: newOrigin()})).status).toBe(403)
    expect((await create(operator.accessToken, {title: 'foo'})).body.field).toBe('origin')
    expect((await create(operator.accessToken, {origin: site.origin})).body).toEqual({
      code: 'duplication',
      field: 'origin',
      detail: 'There is a site with this origin already.',
    })
    expect((await create(operator.accessToken, {origin: newOrigin(), id: site.id})).body.field).toBe('id')
  })
})
