import {median} from './figures.mjs'
import {inDatabase} from './installation.mjs'

/** Rows of a page of the product; it is made to ask for a hundred. */
const pageSize = 15
const rows = 100
const rounds = 7

/** @param {import('./installation.mjs').Bench} bench @param {string} userId */
const fill = (bench, userId) =>
  inDatabase(bench, async (client) => {
    await client.query(
      `insert into usages (user_id, application_id, api_id, status_code, trace_id, deducted_amount, metadata, created_at)
       select $1, (select id from applications where user_id = $1 limit 1), md5((n % 5)::text)::uuid,
         (array[200, 200, 429, 500])[1 + n % 4], gen_random_uuid()::text, n / 1000.0,
         jsonb_build_object('model', 'model-' || n % 5, 'images', n % 3), now() - n * interval '1 minute'
       from generate_series(1, $2::int) as n`,
      [userId, rows * (rounds + 1)],
    )
  })

/** Marks the frame in which other rows stand than now. @param {number} count */
const watchRows = (count) => {
  const first = () => document.querySelector('main tbody tr')?.textContent
  const before = first()
  performance.clearMarks()
  performance.clearResourceTimings()
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll('main tbody tr').length < count || first() === before) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark('rows')))
  })
  observer.observe(document, {childList: true, subtree: true, characterData: true})
}

/** Milliseconds from the end of the response to the mark. */
const timeOfRows = () => {
  const answer = performance.getEntriesByType('resource').find(({name}) => name.includes('/usage/apis/'))
  const [mark] = performance.getEntriesByName('rows')
  if (!(answer instanceof PerformanceResourceTiming) || mark === undefined) return Number.NaN
  return mark.startTime - answer.responseEnd
}

/** Goes through the pages; from a response's end to the frame with its rows. @type {import('./figures.mjs').Part} */
export const usageRows = async (bench) => {
  const {userId} = await bench.user()
  await fill(bench, userId)
  const context = await bench.freshContext()
  const page = await context.newPage()
  await page.route('**/usage/apis/?*', (route) => {
    const url = new URL(route.request().url())
    const number = Number(url.searchParams.get('offset')) / pageSize
    url.searchParams.set('limit', String(rows))
    url.searchParams.set('offset', String(number * rows))
    return route.continue({url: url.href})
  })
  await page.goto(`${bench.url}/console/usages`)
  await page
    .locator('main tbody tr')
    .nth(rows - 1)
    .waitFor()
  const times = []
  for (let round = 0; round < rounds; round += 1) {
    await page.evaluate(watchRows, rows)
    await page.getByRole('navigation', {name: 'Pages'}).getByRole('link').last().click()
    await page.waitForFunction(() => performance.getEntriesByName('rows').length > 0)
    times.push(await page.evaluate(timeOfRows))
  }
  await context.close()
  return [
    {name: 'response to 100 other rows on screen, median', kind: 'time', value: median(times), unit: 'ms', budget: 100},
    {name: 'the slowest', kind: 'time', value: Math.max(...times), unit: 'ms'},
  ]
}
