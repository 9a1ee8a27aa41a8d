import {createHash} from 'node:crypto'
import {median} from './figures.mjs'
import {inDatabase} from './installation.mjs'

const rows = 1_000_000
const apis = 12
/** Its calls cost nothing: in the order of amounts they all stand at one end. */
const freeApi = 1
const rounds = 5

/** Returns the id of an API as the rows have it. @param {number} index */
const apiId = (index) =>
  createHash('md5')
    .update(String(index))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/**
 * A year of usage, spread over it evenly: the worst case for sums by slot, since hardly any slot has two calls. The
 * trigger is left out, as a million of its calls would measure something else; the sums are those that it would have
 * made.
 * @param {import('./installation.mjs').Bench} bench @param {string} userId
 */
const fill = (bench, userId) =>
  inDatabase(bench, async (client) => {
    await client.query('alter table usages disable trigger usages_add')
    await client.query(
      `insert into usages (user_id, application_id, api_id, status_code, trace_id, deducted_amount, created_at)
       select $1, (select id from applications where user_id = $1 limit 1), md5((n % $2::int)::text)::uuid,
         (array[200, 200, 200, 200, 403, 500])[1 + (n * 7) % 6], 'trace-' || n,
         case when n % $2::int = $4::int then 0 else ((n::bigint * 7919) % 1000003) / 1000000.0 end,
         now() - n * interval '31 seconds'
       from generate_series(1, $3::int) as n`,
      [userId, apis, rows, freeApi],
    )
    await client.query(
      `insert into usage_sums (user_id, minutes, slot, application_id, api_id, status_class, calls, deducted_amount)
       select user_id, minutes, date_bin(make_interval(mins => minutes), created_at, 'epoch'), application_id, api_id,
         status_code / 100, count(*), sum(deducted_amount)
       from usages, unnest(array[15, 60]) as minutes group by 1, 2, 3, 4, 5, 6
       on conflict (user_id, minutes, slot, application_id, api_id, status_class) do update
       set calls = excluded.calls, deducted_amount = excluded.deducted_amount`,
    )
    await client.query('alter table usages enable trigger usages_add')
    // as the database does by itself after so many new rows
    await client.query('vacuum (analyze) usages')
    await client.query('analyze usage_sums')
  })

/** @type {import('./figures.mjs').Part} */
export const usageTotals = async (bench) => {
  const {userId} = await bench.user()
  const token = await bench.accessToken()
  await fill(bench, userId)
  const base = `${bench.url}/services/platform/api/v1/usage`
  /** @param {string} path */
  const timeOf = async (path) => {
    const times = []
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now()
      const response = await fetch(`${base}${path}`, {headers: {authorization: `Bearer ${token}`}})
      await response.text()
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
      times.push(performance.now() - startedAt)
    }
    return median(times)
  }
  const at = (/** @type {number} */ days) => new Date(Date.now() - days * 86_400_000).toISOString()
  const month = `created_at_min=${at(30.3)}`
  const list = '/apis/?limit=15'
  const byAmount = `${list}&ordering=-deducted_amount`
  const oneApi = `api_id=${apiId(2)}`
  const paths = [
    ['a year by day, UTC', '/totals'],
    ['a year by day, Asia/Kolkata', '/totals?time_zone=Asia/Kolkata'],
    ['30 days by hour, UTC', `/totals?step=hour&${month}`],
    ['the first page of the list', list],
    ['the same by amount', byAmount],
    ['by amount, the smallest first', `${list}&ordering=deducted_amount`],
    ['the last page of the list', `${list}&offset=${rows - 10}`],
    ['the last page by amount', `${byAmount}&offset=${rows - 10}`],
    ['the middle page by amount', `${byAmount}&offset=500000`],
    ['the middle page', `${list}&offset=500000`],
    ['by amount, of 30 days', `${byAmount}&${month}`],
    ['by amount, of a day', `${byAmount}&created_at_min=${at(1)}`],
    ['by amount, of one API', `${byAmount}&${oneApi}`],
    ['by amount, of an API that costs nothing', `${byAmount}&api_id=${apiId(freeApi)}`],
    ['by amount, of one API in 30 days', `${byAmount}&${oneApi}&${month}`],
  ]
  const figures = []
  for (const [name = '', path = ''] of paths)
    figures.push({name, kind: /** @type {const} */ ('time'), value: await timeOf(path), unit: 'ms', budget: 200})
  return figures
}
