import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {apiUsagePage, serviceApiPage, usageTotals, type UsageTotals} from '#contract/usage.ts'
import {chatServiceId} from '#contract/chat.ts'
import {apiIdOf, chatApi, serviceApisOf} from '#server/platform/service-apis.ts'
import {mediaTools} from '#server/media/media-tools.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'
import {noMedia} from '#server/platform/media-catalogue.ts'
import {createTestServer, type TestServer, type TestUser} from './harness.ts'
import {ask, base, catalogue} from './platform.fixtures.ts'
import {createUsage} from './usage.fixtures.ts'

let server: TestServer
beforeAll(async () => {
  const media = {...noMedia, apis: serviceApisOf(mediaTools)}
  server = await createTestServer({routes: (deps) => platformRoutes(deps, catalogue, media)})
  await server.createUser()
})
afterAll(() => server.close())

const queryOf = (query: Record<string, string | string[]>) => {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) params.append(name, value)
  return params.toString()
}
const get = (user: TestUser, path: string, query: Record<string, string | string[]> = {}) =>
  ask(server, 'GET', `${path}?${queryOf(query)}`, {token: user.accessToken})
const totalsOf = async (user: TestUser, query: Record<string, string | string[]> = {}): Promise<UsageTotals> => {
  const {status, body} = await get(user, '/usage/totals', query)
  expect(status).toBe(200)
  return usageTotals.parse(body)
}

/** Exact sums of decimals with six places. */
const addUp = (amounts: readonly string[]) => {
  const micro = amounts.reduce((sum, text) => sum + BigInt(text.replace('.', '')), 0n)
  return `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`
}
type Row = {id: string; api_id: string; status_code: number; deducted_amount: number; created_at: string}
/** All pages of the list, which is what the sums must agree with. */
async function allRows(user: TestUser, query: Record<string, string | string[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const {body} = await get(user, '/usage/apis/', {...query, limit: '100', offset: String(rows.length)})
    rows.push(...body.items)
    if (rows.length >= body.count || body.items.length === 0) {
      expect(rows).toHaveLength(body.count)
      return rows
    }
  }
}
const sumOf = (rows: readonly Row[]) => ({
  count: rows.length,
  deducted_amount: addUp(rows.map((row) => row.deducted_amount.toFixed(6))),
})
/** Names the hour or day of an instant in a zone, by another way than the server's. */
function createNaming(timeZone: string, step: 'hour' | 'day') {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    ...(step === 'hour' && {timeStyle: 'short', hour12: false}),
  })
  return (at: string) => format.format(new Date(at)).replace(step === 'hour' ? /:\d\d$/ : /$/, '')
}

describe('sums agree with the rows to the last digit', () => {
  let user: TestUser
  let usage: Awaited<ReturnType<typeof createUsage>>
  beforeAll(async () => {
    user = await server.createUser()
    usage = await createUsage(server, user)
    // 433 s apart: no slot has the same rows as its neighbour, and they cross the change of clocks in Europe
    await usage.fill(900, {from: '2026-03-27T03:12:34.567Z', seconds: 433})
  })

  test.each<[string, Record<string, string | string[]>]>([
    ['all', {}],
    ['from within a slot', {created_at_min: '2026-03-28T10:07:11Z'}],
    ['until within a slot', {created_at_max: '2026-03-29T22:41:09.123Z'}],
    ['a range', {created_at_min: '2026-03-28T10:00:00Z', created_at_max: '2026-03-29T12:00:00Z'}],
    ['a range within one slot', {created_at_min: '2026-03-28T10:01:00Z', created_at_max: '2026-03-28T10:14:00Z'}],
    ['a range of one row', {created_at_min: '2026-03-27T03:12:34.567Z', created_at_max: '2026-03-27T03:12:34.567Z'}],
    ['an empty range', {created_at_min: '2026-03-29T00:00:00Z', created_at_max: '2026-03-28T00:00:00Z'}],
    ['one API', {api_id: apiIdOf('flux/images')}],
    [
      'two APIs in a range',
      {api_id: [apiIdOf('flux/images'), apiIdOf(chatApi)], created_at_min: '2026-03-28T10:07:11Z'},
    ],
    ['with an offset', {created_at_min: '2026-03-28T10:07:11+05:30'}],
  ])('%s', async (_, query) => {
    const rows = await allRows(user, query)
    const totals = await totalsOf(user, query)
    expect(totals.total).toEqual(sumOf(rows))
    for (const list of [totals.by_status, totals.by_api, totals.by_time]) {
      expect(list.reduce((sum, {count}) => sum + count, 0)).toBe(rows.length)
      expect(addUp(list.map(({deducted_amount}) => deducted_amount))).toBe(totals.total.deducted_amount)
    }
    for (const {status_class, ...sum} of totals.by_status)
      expect(sum).toEqual(sumOf(rows.filter((row) => Math.floor(row.status_code / 100) === status_class)))
    for (const {api_id, count, deducted_amount} of totals.by_api)
      expect({count, deducted_amount}).toEqual(sumOf(rows.filter((row) => row.api_id === api_id)))
  })

  test.each([
    ['UTC', 'day'],
    ['UTC', 'hour'],
    ['Europe/Berlin', 'day'],
    ['Europe/Berlin', 'hour'],
    ['Asia/Kolkata', 'day'],
    ['Asia/Kathmandu', 'hour'],
    ['Asia/Kathmandu', 'day'],
    ['Australia/Lord_Howe', 'day'],
    ['Australia/Lord_Howe', 'hour'],
    ['America/New_York', 'day'],
  ] as const)('by time in %s, %s', async (time_zone, step) => {
    const query = {created_at_min: '2026-03-28T10:07:11Z', created_at_max: '2026-03-30T09:00:00Z'}
    const rows = await allRows(user, query)
    const totals = await totalsOf(user, {...query, time_zone, step})
    expect(totals).toMatchObject({time_zone, step})
    const nameOf = createNaming(time_zone, step)
    const rowsIn = new Map<string, Row[]>()
    for (const row of rows.toReversed()) {
      const name = nameOf(row.created_at)
      rowsIn.set(name, [...(rowsIn.get(name) ?? []), row])
    }
    expect(totals.by_time.map(({start}) => nameOf(start))).toEqual([...rowsIn.keys()])
    for (const {start, count, deducted_amount, by_api, by_status} of totals.by_time) {
      expect({count, deducted_amount}).toEqual(sumOf(rowsIn.get(nameOf(start)) ?? []))
      for (const list of [by_api, by_status])
        expect(addUp(list.map((sum) => sum.deducted_amount))).toBe(deducted_amount)
    }
  })

  test('the export has the same rows', async () => {
    const query = {created_at_min: '2026-03-28T10:07:11Z', created_at_max: '2026-03-30T09:00:00Z'}
    const rows = await allRows(user, query)
    const response = await server.call('GET', `${base}/usage/export?${queryOf(query)}`, {token: user.accessToken})
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="usage-\d{4}-\d\d-\d\d\.csv"$/)
    const [head, ...lines] = (await response.text()).trimEnd().split('\r\n')
    expect(head).toMatch(/^created_at,api,service,status_code,deducted_amount,/)
    expect(
      lines.map((line) => line.split(',')).map((fields) => [fields[0], fields[3], fields[4], fields.at(-1)]),
    ).toEqual(rows.map((row) => [row.created_at, String(row.status_code), row.deducted_amount.toFixed(6), row.id]))
  })

  test('an export of more rows than a piece holds leaves none out, also of one instant', async () => {
    const other = await server.createUser()
    const many = await createUsage(server, other)
    await many.fill(2_100, {from: '2026-03-27T00:00:00Z', seconds: 0.0000004})
    const response = await server.call('GET', `${base}/usage/export`, {token: other.accessToken})
    const ids = (await response.text())
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').at(-1))
    expect([ids.length, new Set(ids).size]).toEqual([2_100, 2_100])
  })

  test('the beginning of a new row is summed at once, and undone with it', async () => {
    const before = await totalsOf(user)
    const undone = server.deps.database.asSystem(async (transaction) => {
      await transaction.execute(sql`insert into usages (user_id, application_id, api_id, status_code, trace_id)
        values (${user.user.id}, ${usage.applicationId}, ${apiIdOf(chatApi)}, 200, 'foo')`)
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await totalsOf(user)).toEqual(before)
  })
})

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
    expect(body.items.map((item: Row) => item.created_at)).toEqual([
      '2026-01-03T00:00:00.000Z',
      '2026-01-02T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ])
    expect(body.items[0]).not.toHaveProperty('api')
    expect(body.items[2]).toMatchObject({
      api_id: apiIdOf(chatApi),
      api: {title: 'AI Chat'},
      service: {id: chatServiceId, title: 'AI Chat', unit: 'Credit'},
      application_id: applicationId,
      status_code: 200,
      deducted_amount: 0.1,
      used_amount: 3.5,
      metadata: {model: 'foo', prompt_tokens: 3},
    })
    const one = await get(user, `/usage/apis/${body.items[2].id}`)
    expect(one.body).toEqual(body.items[2])
    // no index has it: a page of a million rows would be a sort of all
    const byStatus = await get(user, '/usage/apis/', {ordering: '-status_code'})
    expect([byStatus.status, byStatus.body.error ?? byStatus.body]).toMatchObject([400, {field: 'ordering'}])
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
    const pageAt = async (ordering: string, offset: number): Promise<Row[]> =>
      (await get(user, '/usage/apis/', {ordering, limit: '3', offset: String(offset)})).body.items
    const pages = async (ordering: string) => {
      const rows: Row[] = []
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
    await expect(attempt).rejects.toMatchObject({cause: {code: '42501'}})
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
