import {createServer} from 'vite'
import {median, quantile} from './figures.mjs'

const many = 10_000
const page = 50
const rounds = 200

const record = (/** @type {number} */ index, /** @type {boolean} */ isDone) => ({
  task: {
    id: `task-${index}`,
    created_at: 1_700_000_000 + index,
    request: {prompt: `a boat at sunset, take ${index}`, model: 'foo'},
    ...(isDone
      ? {finished_at: 1_700_000_009 + index, response: {success: true, data: [{image_url: `/${index}.png`}]}}
      : {}),
  },
  status: isDone ? 'succeeded' : 'running',
  reading: {artifacts: isDone ? [{medium: 'image', url: `/${index}.png`}] : []},
})

/** Merging into a long list (docs/architecture.md §7): with news, and without. @type {import('./figures.mjs').Part} */
export const mergeTasks = async () => {
  const vite = await createServer({
    server: {middlewareMode: true, hmr: false, ws: false},
    appType: 'custom',
    logLevel: 'error',
  })
  try {
    const {mergeRecords} = await vite.ssrLoadModule('/machines/tasks/tasks.rules.ts')
    const listedTasks = Array.from({length: many}, (_, index) => record(index, index % 100 !== 0))
    const timesOf = (/** @type {(round: number) => object[]} */ arrivedIn) =>
      Array.from({length: rounds}, (_, round) => {
        const records = arrivedIn(round)
        const startedAt = performance.now()
        mergeRecords(listedTasks, records)
        return performance.now() - startedAt
      })
    const startOf = (/** @type {number} */ round) => (round * 37 * page) % (many - page)
    const same = timesOf((round) => structuredClone(listedTasks.slice(startOf(round), startOf(round) + page)))
    const ends = timesOf((round) => Array.from({length: page}, (_, index) => record(startOf(round) + index, true)))
    const older = timesOf((round) => Array.from({length: page}, (_, index) => record(-1 - index - round * page, true)))
    const figure = (/** @type {string} */ what, /** @type {number[]} */ times) => [
      {
        name: `a page ${what} into ${many.toLocaleString('en')} tasks`,
        kind: 'time',
        value: median(times),
        unit: 'ms',
        budget: 10,
      },
      {name: 'p99', kind: 'time', value: quantile(times, 0.99), unit: 'ms'},
    ]
    return /** @type {import('./figures.mjs').Figure[]} */ ([
      ...figure('without news', same),
      ...figure('of ends', ends),
      ...figure('of older tasks', older),
    ])
  } finally {
    await vite.close()
  }
}
