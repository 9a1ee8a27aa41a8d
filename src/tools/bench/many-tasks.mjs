import {median} from './figures.mjs'
import {inDatabase} from './installation.mjs'

const rounds = 5
const [many, few] = [1_000, 100]

/**
 * Images of the user, all of one file: making so many would measure something else. @param
 * {import('./installation.mjs').Bench} bench @param {string} userId @param {number} count
 */
export const fillTasks = (bench, userId, count) =>
  inDatabase(bench, async (client) => {
    await client.query('delete from tasks where user_id = $1', [userId])
    await client.query(
      `insert into tasks (user_id, service, operation, type, state, provider, request, response, trace_id, settled,
         created_at, started_at, finished_at)
       select $1, 'flux', 'images', 'images', 'succeeded', 'sandbox',
         jsonb_build_object('action', 'generate', 'model', 'flux-dev', 'count', 1, 'prompt', 'picture ' || place),
         jsonb_build_object('data', jsonb_build_array(jsonb_build_object('image_url', $3::text))),
         gen_random_uuid(), 0, made, made, made
       from generate_series(1, $2::int) place, lateral (select now() - place * interval '1 minute' as made) each`,
      [userId, count, `${bench.url}/favicon.svg`],
    )
  })

/**
 * Measures from leaving another screen of the app to the frame in which the newest card stands on this one.
 * @param {import('playwright').Page} page
 */
const comeBack = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now()
        const look = () => {
          const card = document.querySelector('[role="feed"] article[aria-posinset="1"]')
          if (card !== null && card.getBoundingClientRect().height > 0)
            return resolve({
              milliseconds: performance.now() - startedAt,
              nodes: document.querySelectorAll('*').length,
            })
          if (performance.now() - startedAt > 30_000) return reject(new Error('The newest card did not come into view'))
          requestAnimationFrame(look)
        }
        history.back()
        requestAnimationFrame(look)
      }),
  )

/** @param {import('./installation.mjs').Bench} bench @param {string} userId @param {number} count */
const measure = async (bench, userId, count) => {
  await fillTasks(bench, userId, count)
  const context = await bench.freshContext()
  const page = await context.newPage()
  await page.goto(`${bench.url}/flux`)
  await page.locator('[role="feed"] article').first().waitFor()
  /** @type {{milliseconds: number, nodes: number}[]} */
  const openings = []
  for (let round = 0; round < rounds; round += 1) {
    await page.getByRole('link', {name: 'Chat', exact: true}).click()
    await page
      .getByRole('log')
      .or(page.getByRole('heading', {name: 'What are you working on?'}))
      .first()
      .waitFor()
    openings.push(await comeBack(page))
  }
  await context.close()
  return {
    milliseconds: median(openings.map((one) => one.milliseconds)),
    nodes: median(openings.map((one) => one.nodes)),
  }
}

/** @type {import('./figures.mjs').Part} */
export const manyTasks = async (bench) => {
  const {userId} = await bench.user()
  const small = await measure(bench, userId, few)
  const large = await measure(bench, userId, many)
  return [
    {name: 'to the first card, median', kind: 'time', value: large.milliseconds, unit: 'ms', budget: 300},
    {name: `the same with ${few} tasks, median`, kind: 'time', value: small.milliseconds, unit: 'ms'},
    {name: 'elements in the page', kind: 'count', value: large.nodes, unit: '', budget: 1_500},
    {
      name: `elements, as a ratio to ${few} tasks`,
      kind: 'count',
      value: large.nodes / small.nodes,
      unit: '',
      budget: 1.5,
    },
  ]
}
