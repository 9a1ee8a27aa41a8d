import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {apiIdOf, chatApi} from '#server/platform/service-apis.ts'
import {platformRoutes} from '#server/platform/platform.routes.ts'
import {createTestServer, type TestServer, type TestUser} from './harness.ts'
import {base, catalogue} from './platform.fixtures.ts'
import {createUsage, queryOf, readUsage, type UsageQuery, type UsageRow} from './usage.fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({routes: (deps) => platformRoutes(deps, catalogue)})
  await server.createUser() // the operator
})
afterAll(() => server.close())

const {get, totalsOf} = readUsage(() => server)

/** Exact sums with six decimals. */
const addUp = (amounts: readonly string[]) => {
  const micro = amounts.reduce((sum, text) => sum + BigInt(text.replace('.', '')), 0n)
  return `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`
}
/** All pages of the list, which is what the sums must agree with. */
async function allRows(user: TestUser, query: UsageQuery): Promise<UsageRow[]> {
  const rows: UsageRow[] = []
  for (;;) {
    const {body} = await get(user, '/usage/apis/', {...query, limit: '100', offset: String(rows.length)})
    rows.push(...body.items)
    if (rows.length >= body.count || body.items.length === 0) {
      expect(rows).toHaveLength(body.count)
      return rows
    }
  }
}
const sumOf = (rows: readonly UsageRow[]) => ({
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

  test.each<[string, UsageQuery]>([
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
    expect([totals.time_zone, totals.step]).toEqual([time_zone, step])
    const nameOf = createNaming(time_zone, step)
    const rowsIn = new Map<string, UsageRow[]>()
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
