import {setTimeout as delay} from 'node:timers/promises'
import {quantile} from './figures.mjs'
import {processorTime} from './processor-time.mjs'

const videoCount = 5
/** How often the API is asked while videos are made, and how often without them. */
const pauseMilliseconds = 10
const quietRounds = 200

const prompt = 'a boat at sunset'
/** Two loads: usual media, and those with the most pixels there are. */
const loads = [
  {
    title: `${videoCount} videos of 10 s`,
    service: 'kling',
    body: {action: 'text2video', prompt, model: 'kling-v1', duration: 10, mode: 'std'},
  },
  {
    title: `${videoCount} videos of 5 s at 1080p`,
    service: 'pixverse',
    body: {prompt, quality: '1080p', duration: 5},
  },
]

/** @type {import('./figures.mjs').Part} */
export const mediaThreads = async (bench) => {
  const {token} = await bench.user()
  await bench.restart()
  const ask = async (/** @type {string} */ path, /** @type {object} */ body) => {
    const response = await fetch(`${bench.url}/services/api${path}`, {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json'},
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
  const figures = []
  for (const load of loads) figures.push(...(await measure(bench.processId, ask, load)))
  return figures
}

/**
 * `any`: tasks as the API sends them.
 * @param {() => number} processId
 * @param {(path: string, body: object) => Promise<any>} ask
 * @param {(typeof loads)[number]} load
 * @returns {Promise<import('./figures.mjs').Figure[]>}
 */
async function measure(processId, ask, {title, service, body}) {
  const retrieve = async (/** @type {string[]} */ ids) =>
    (await ask(`/${service}/tasks`, {action: 'retrieve_batch', ids})).items ?? []
  /** @param {string[]} ids @returns {Promise<{milliseconds: number, items: any[]}>} */
  const timed = async (ids) => {
    const startedAt = performance.now()
    const items = await retrieve(ids)
    return {milliseconds: performance.now() - startedAt, items}
  }
  const submit = async () => String((await ask(`/${service}/videos`, {...body, async: true})).task_id)

  // The first video starts the thread and loads its encoders; it does not count.
  const first = await submit()
  while (!(await retrieve([first])).every(isDone)) await delay(50)
  const quiet = []
  for (let round = 0; round < quietRounds; round += 1) quiet.push((await timed([first])).milliseconds)

  const before = processorTime(processId())
  const startedAt = performance.now()
  const ids = await Promise.all(Array.from({length: videoCount}, submit))
  const busy = []
  for (;;) {
    const {milliseconds, items} = await timed(ids)
    busy.push(milliseconds)
    if (items.length === videoCount && items.every(isDone)) break
    await delay(pauseMilliseconds)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const after = processorTime(processId())
  return [
    {name: `API p99 while ${title} are made`, kind: 'time', value: quantile(busy, 0.99), unit: 'ms', budget: 100},
    {name: 'API median meanwhile', kind: 'time', value: quantile(busy, 0.5), unit: 'ms'},
    {name: 'the longest meanwhile', kind: 'time', value: Math.max(...busy), unit: 'ms'},
    {name: 'API p99 without them', kind: 'time', value: quantile(quiet, 0.99), unit: 'ms'},
    {name: `until all ${videoCount} were there`, kind: 'time', value: seconds, unit: 's'},
    ...(before === undefined || after === undefined
      ? []
      : [
          {
            name: 'processor time a video',
            kind: /** @type {const} */ ('time'),
            value: (after - before) / 1_000 / videoCount,
            unit: 's',
          },
        ]),
  ]
}

/** @param {{response?: {success?: boolean, video_url?: string}}} task */
const isDone = ({response}) => {
  if (response?.success === false) throw new Error(`a video failed: ${JSON.stringify(response)}`)
  return response?.success === true
}
