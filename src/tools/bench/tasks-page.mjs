import {median, quantile} from './figures.mjs'
import {inDatabase} from './installation.mjs'
import {fillTasks} from './many-tasks.mjs'

const [many, few] = [1_000_000, 1_000]
/** The page has the same size (src/app/logic/media/task-ports.ts). */
const pageSize = 30
const [warmingRounds, rounds] = [10, 200]

/** Measures the page's request for the newest tasks of a tool, over HTTP. @type {import('./figures.mjs').Part} */
export const tasksPage = async (bench) => {
  const {userId, token} = await bench.user()
  const ask = async () => {
    const startedAt = performance.now()
    const response = await fetch(`${bench.url}/services/api/flux/tasks`, {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify({action: 'retrieve_batch', user_id: userId, type: 'images', limit: pageSize}),
    })
    const {items} = await response.json()
    return {milliseconds: performance.now() - startedAt, length: items?.length}
  }
  const timesOf = async () => {
    const times = []
    for (let round = 0; round < warmingRounds + rounds; round += 1) {
      const answer = await ask()
      if (answer.length !== pageSize) throw new Error(`${answer.length} tasks came`)
      if (round >= warmingRounds) times.push(answer.milliseconds)
    }
    return times
  }
  await fillTasks(bench, userId, few)
  const short = await timesOf()
  await fillTasks(bench, userId, many)
  const counting = await inDatabase(bench, async (client) => {
    // as the database does by itself after so many new rows
    await client.query('vacuum (analyze) tasks')
    const times = []
    for (let round = 0; round < warmingRounds; round += 1) {
      const startedAt = performance.now()
      await client.query(`select count(*) from tasks where user_id = $1 and service = 'flux' and type = 'images'`, [
        userId,
      ])
      times.push(performance.now() - startedAt)
    }
    return median(times)
  })
  const times = await timesOf()
  await inDatabase(bench, (client) => client.query('truncate tasks cascade'))
  const figure = (/** @type {string} */ name, /** @type {number} */ value) => ({
    name,
    kind: /** @type {const} */ ('time'),
    value,
    unit: 'ms',
  })
  return [
    figure(`first page of ${pageSize}, median`, median(times)),
    {...figure(`first page of ${pageSize}, p95`, quantile(times, 0.95)), budget: 50},
    figure('a count of all of them, which is kept instead, in the database alone, median', counting),
    figure(`first page with ${few} tasks, median`, median(short)),
    figure(`first page with ${few} tasks, p95`, quantile(short, 0.95)),
  ]
}
