import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {apiUsagePage, serviceApiPage} from '#contract/usage.ts'
import {chatServiceId} from '#contract/chat.ts'
import {apiIdOf, chatApi, serviceApisOf} from '#server/platform/service-apis.ts'
import {mediaTools} from '#server/media/media-tools.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'
import {noMedia} from '#server/platform/media-catalogue.ts'
import {createTestServer, type TestServer} from './harness.ts'
import {base, catalogue} from './platform.fixtures.ts'
import {createUsage, queryOf, readUsage, type UsageRow} from './usage.fixtures.ts'

let server: TestServer
beforeAll(async () => {
  const media = {...noMedia, apis: serviceApisOf(mediaTools)}
  server = await createTestServer({routes: (deps) => platformRoutes(deps, catalogue, media)})
  await server.createUser()
})
afterAll(() => server.close())

const {get, totalsOf} = readUsage(() => server)

describe('usage', () => {
  test('is listed with names, newest first, and read by id', async () => {
    const user = await server.createUser()
    const {add, applicationId} = await createUsage(server, user)
    await add([
      {
        createdAt: new Date('2026-01-01T00:00:00Z'),
        serviceId: chatServiceId,
        api: chatApi,
        usedAmount: '3.5',
        metadata: {model: 'foo', prompt_tokens: 3},
      },
      {createdAt: new Date('2026-01-02T00:00:00Z'), statusCode: 500, deductedAmount: '0'},
      {createdAt: new Date('2026-01-03T00:00:00Z'), api: 'gone/images'},
    ])
    const {body} = await get(user, '/usage/apis/', {
      limit: '15',
      offset: '0',
      ordering: '-created_at',
      user_id: user.user.id,
    })
    expect(apiUsagePage.safeParse(body).success).toBe(true)
    expect(body.count).toBe(3)
    expect(body.items.map((item: UsageRow) => item.created_at)).toEqual([
      '2026-01-03T00:00:00.000Z',
      '2026-01-02T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ])
    expect(body.items[0]).not.toHaveProperty('api')
    expect(body.items[2]).toEqual({
      api_id: apiIdOf(chatApi),
      api: {title: 'AI Chat'},
      service: {id: chatServiceId, title: 'AI Chat', unit: 'Credit'},
      application_id: applicationId,
      status_code: 200,
      deducted_amount: 0.1,
      used_amount: 3.5,
      metadata: {model: 'foo', prompt_tokens: 3},
      id: expect.any(String),
      trace_id: expect.any(String),
      remaining_amount: 0,
      created_at: expect.any(String),
    })
    const one = await get(user, `/usage/apis/${body.items[2].id}`)
    expect(one.body).toEqual(body.items[2])
    // no index has it: a page of a million rows would be a sort of all
    const byStatus = await get(user, '/usage/apis/', {ordering: '-status_code'})
    expect([byStatus.status, byStatus.body.error ?? byStatus.body]).toEqual([
      400,
      {
        field: 'ordering',
        code: 'bad_request',
        detail: 'Lists here are ordered by created_at, deducted_amount; a dash in front reverses.',
      },
    ])
  })

  test('by amount: equal amounts by their time, pages never overlap, ascending is descending read backwards', async () => {
    const user = await server.createUser()
    const {add} = await createUsage(server, user)
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
    await add(
      ['0', '2.5', '0', '0.000001', '0'].map((deductedAmount, second) => ({createdAt: at(second), deductedAmount})),
    )
    // the same moment too: only the id tells them apart
    await add(['0', '0'].map((deductedAmount) => ({createdAt: at(0), deductedAmount})))
    const pageAt = async (ordering: string, offset: number): Promise<UsageRow[]> =>
      (await get(user, '/usage/apis/', {ordering, limit: '3', offset: String(offset)})).body.items
    const pages = async (ordering: string) => {
      const rows: UsageRow[] = []
      for (const offset of [0, 3, 6]) rows.push(...(await pageAt(ordering, offset)))
      return rows
    }
    const falling = await pages('-deducted_amount')
    expect(falling.map((row) => [row.deducted_amount, new Date(row.created_at).getUTCSeconds()])).toEqual([
      [2.5, 1],
      [0.000001, 3],
      [0, 4],
      [0, 2],
      [0, 0],
      [0, 0],
      [0, 0],
    ])
    expect(new Set(falling.map(({id}) => id)).size).toBe(7)
    expect(await pages('deducted_amount')).toEqual(falling.toReversed())
    // late pages are read from the other end
    for (const offset of [1, 2, 4, 5, 7, 8]) {
      expect(await pageAt('-deducted_amount', offset)).toEqual(falling.slice(offset, offset + 3))
    }
  })

  test('of another user is not there', async () => {
    const [owner, other] = [await server.createUser(), await server.createUser()]
    const {add, applicationId} = await createUsage(server, owner)
    await add([{createdAt: new Date('2026-01-01T00:00:00Z')}])
    const [row] = (await get(owner, '/usage/apis/')).body.items
    const foreign = await get(other, `/usage/apis/${row.id}`)
    const missing = await get(other, '/usage/apis/00000000-0000-4000-8000-000000000000')
    expect([foreign.status, foreign.body]).toEqual([404, missing.body])
    const queries: Record<string, string>[] = [
      {},
      {user_id: owner.user.id},
      {application_id: applicationId},
      {application_id: 'foo'},
    ]
    for (const query of queries) {
      expect((await get(other, '/usage/apis/', query)).body).toEqual({count: 0, items: []})
      expect((await totalsOf(other, query)).total).toEqual({count: 0, deducted_amount: '0.000000'})
      const response = await server.call('GET', `${base}/usage/export?${queryOf(query)}`, {token: other.accessToken})
      expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(1)
    }
    const attempt = server.deps.database.asUser(other.user.id, (transaction) =>
      transaction.execute(sql`insert into usage_sums select * from usage_sums`),
    )
    await expect(attempt).rejects.toHaveProperty('cause.code', '42501')
  })

  test.each<[Record<string, string>, string]>([
    [{ordering: 'user_id'}, 'ordering'],
    [{created_at_min: 'yesterday'}, 'created_at_min'],
    [{created_at_min: '2026-01-01'}, 'created_at_min'],
    [{limit: '101'}, 'limit'],
    [{foo: 'bar'}, 'foo'],
  ])('a list with %j names the field', async (query, field) => {
    const {status, body} = await get(await server.createUser(), '/usage/apis/', query)
    expect([status, body.code, body.field]).toEqual([400, 'bad_request', field])
  })

  test.each<[Record<string, string>, string]>([
    [{time_zone: 'Mars/Olympus'}, 'time_zone'],
    [{time_zone: '+05:30'}, 'time_zone'],
    [{time_zone: "UTC'; drop table usages; --"}, 'time_zone'],
    [{step: 'minute'}, 'step'],
    [{step: 'hour', created_at_min: '2020-01-01T00:00:00Z'}, 'created_at_max'],
    [{step: 'day', created_at_min: '2020-01-01T00:00:00Z'}, 'created_at_max'],
  ])('totals with %j name the field', async (query, field) => {
    const {status, body} = await get(await server.createUser(), '/usage/totals', query)
    expect([status, body.code, body.field]).toEqual([400, 'bad_request', field])
  })

  test('a formula in the export is text', async () => {
    const user = await server.createUser()
    const {add} = await createUsage(server, user)
    await add([
      {traceId: '=cmd|" /C calc"!A0', metadata: {'@foo': '1'}},
      {traceId: '\t+1', metadata: {a: 'x', b: 'y, "z"'}},
      {traceId: ' -1'},
    ])
    const response = await server.call('GET', `${base}/usage/export`, {token: user.accessToken})
    const text = await response.text()
    expect(text).toContain(`,"'=cmd|"" /C calc""!A0","'@foo: 1",`)
    expect(text).toContain(`,"'\t+1","a: x; b: y, ""z""",`)
    expect(text).toContain(`,"' -1",,`)
  })

  test('exports are limited', async () => {
    const limited = await createTestServer({
      routes: (deps) => platformRoutes(deps, catalogue),
      config: {limitFactor: 1},
    })
    try {
      const user = await limited.createUser()
      const statuses = []
      for (let index = 0; index < 6; index += 1)
        statuses.push((await limited.call('GET', `${base}/usage/export`, {token: user.accessToken})).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    } finally {
      await limited.close()
    }
  })
})

describe('APIs', () => {
  test('are listed, by service too, with ids that usage names', async () => {
    const user = await server.createUser()
    const {body} = await get(user, '/apis/', {limit: '100', ordering: 'title'})
    expect(serviceApiPage.safeParse(body).success).toBe(true)
    expect(body.count).toBe(body.items.length)
    expect(body.items[0]).toEqual({id: apiIdOf(chatApi), name: chatApi, title: 'AI Chat', service_id: chatServiceId})
    const kling = body.items.find(({name}: {name: string}) => name === 'kling/videos')
    expect((await get(user, `/apis/${kling.id}`)).body).toEqual(kling)
    expect((await get(user, `/services/${chatServiceId}/apis/`)).body).toEqual({count: 1, items: [body.items[0]]})
    const second = await get(user, '/apis/', {limit: '2', offset: '1', ordering: 'title'})
    expect(second.body.items).toEqual(body.items.slice(1, 3))
    expect((await get(user, '/apis/00000000-0000-4000-8000-000000000000')).status).toBe(404)
    expect((await get(user, '/services/00000000-0000-4000-8000-000000000000/apis/')).status).toBe(404)
  })

  test('the migration computes the same ids', async () => {
    const {rows} = await server.deps.database.asSystem((transaction) =>
      transaction.execute<{
        id: string
      }>(sql`select overlay(overlay(left(encode(sha256(convert_to('kling/videos', 'UTF8')),
        'hex'), 32) placing '8' from 13 for 1) placing '8' from 17 for 1)::uuid as id`),
    )
    expect(rows).toEqual([{id: apiIdOf('kling/videos')}])
  })
})
