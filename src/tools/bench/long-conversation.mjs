import {randomUUID} from 'node:crypto'
import {median} from './figures.mjs'
import {growthFigures, measureHeap} from './heap.mjs'
import {composer, inDatabase} from './installation.mjs'
import {tokens} from './model-server.mjs'

const rounds = 5
/** Each opens both conversations. */
const switchRounds = 25
const [longest, short] = [2_000, 100]
const answer = tokens(60).join('').trim()

/**
 * A conversation as it would be after many questions; asking 1,000 times would measure something else.
 * @param {import('./installation.mjs').Bench} bench @param {string} userId @param {string} title @param {number} count
 * of messages
 */
export const fillConversation = (bench, userId, title, count) =>
  inDatabase(bench, async (client) => {
    const id = randomUUID()
    await client.query('insert into conversations (id, user_id, model, title) values ($1, $2, $3, $4)', [
      id,
      userId,
      'gpt-5',
      title,
    ])
    await client.query(
      `insert into messages (user_id, conversation_id, position, role, content, model)
       select $1, $2, n - 1, case when n % 2 = 1 then 'user' else 'assistant' end,
              to_jsonb(case when n % 2 = 1 then 'Question ' || n else $4 || ' Message ' || n || '.' end), 'gpt-5'
       from generate_series(1, $3::int) n`,
      [userId, id, count, `${answer}\n\n`],
    )
  })

/** @type {import('./figures.mjs').Part} */
export const longConversation = async (bench) => {
  const {userId} = await bench.user()
  await fillConversation(bench, userId, 'Long', longest)
  await fillConversation(bench, userId, 'Short', short)
  const context = await bench.freshContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(`${bench.url}/chatgpt/conversations`)
  await composer(page).waitFor()
  const list = page.getByRole('navigation', {name: 'Conversations'})
  await list.getByRole('link', {name: /^Long/}).waitFor()

  /** Measures from the click to the frame in which the last message stands on screen. */
  const open = (/** @type {string} */ title, /** @type {number} */ count) =>
    page.evaluate(
      ({title, last}) =>
        new Promise((resolve, reject) => {
          const link = [...document.querySelectorAll('nav a')].find((each) =>
            each.textContent?.trim().startsWith(title),
          )
          if (!(link instanceof HTMLElement)) return reject(new Error(`There is no conversation ${title}`))
          const startedAt = performance.now()
          const look = () => {
            const article = [...document.querySelectorAll('[role="log"] article')].findLast((each) =>
              each.textContent?.includes(last),
            )
            const box = article?.getBoundingClientRect()
            const isSeen = box !== undefined && box.height > 0 && box.bottom > 0 && box.top < innerHeight
            if (isSeen)
              return resolve({
                milliseconds: performance.now() - startedAt,
                nodes: document.querySelectorAll('*').length,
              })
            if (performance.now() - startedAt > 30_000)
              return reject(new Error(`The last message of ${title} did not come into view`))
            requestAnimationFrame(look)
          }
          link.click()
          requestAnimationFrame(look)
        }),
      {title, last: `Message ${count}.`},
    )
  /** @type {{milliseconds: number, nodes: number}[]} */
  const long = []
  /** @type {{milliseconds: number, nodes: number}[]} */
  const small = []
  for (let round = 0; round < rounds; round += 1) {
    small.push(await open('Short', short))
    long.push(await open('Long', longest))
  }
  const before = await measureHeap(session)
  for (let round = 0; round < switchRounds; round += 1) {
    await open('Short', short)
    await open('Long', longest)
  }
  const after = await measureHeap(session)
  await context.close()
  const nodes = median(long.map((one) => one.nodes))
  return [
    {
      name: 'click to last message, first time',
      kind: 'time',
      value: long[0]?.milliseconds ?? Number.NaN,
      unit: 'ms',
      budget: 150,
    },
    {
      name: 'click to last message, median',
      kind: 'time',
      value: median(long.map(({milliseconds}) => milliseconds)),
      unit: 'ms',
      budget: 150,
    },
    {
      name: `the same with ${short} messages, median`,
      kind: 'time',
      value: median(small.map(({milliseconds}) => milliseconds)),
      unit: 'ms',
    },
    {name: 'elements in the page', kind: 'count', value: nodes, unit: ''},
    {
      name: `elements, as a ratio to ${short} messages`,
      kind: 'count',
      value: nodes / median(small.map((one) => one.nodes)),
      unit: '',
      budget: 1.5,
    },
    ...growthFigures(`${switchRounds * 2} switches`, before, after),
  ]
}
