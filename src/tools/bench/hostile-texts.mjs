import {hostileEnd, hostileNames, questions} from './model-server.mjs'
import {ask} from './streaming.mjs'

/**
 * @typedef {{name: string, ph: string, pid: number, tid: number, dur?: number, tdur?: number, args: {name?: string}}}
 * TraceEvent
 */

/** Processor time of the longest task of the page's main thread, in milliseconds. @param {TraceEvent[]} events */
function longestTask(events) {
  const mainThreads = new Set(
    events
      .filter(({name, args}) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({pid, tid}) => `${pid} ${tid}`),
  )
  const tasks = events.filter(
    ({name, ph, pid, tid}) => ph === 'X' && name.endsWith('RunTask') && mainThreads.has(`${pid} ${tid}`),
  )
  return Math.max(0, ...tasks.map(({tdur = 0}) => tdur)) / 1_000
}

/** Measures the main thread's longest work while a hostile text is written. @type {import('./figures.mjs').Part} */
export const hostileTexts = async (bench) => {
  const context = await bench.freshContext()
  const browser = context.browser()
  if (browser === null) throw new Error('The page has no browser')
  const page = await context.newPage()
  /** @type {import('./figures.mjs').Figure[]} */
  const figures = []
  for (const name of hostileNames) {
    await page.goto(`${bench.url}/chatgpt/conversations`)
    await ask(page, questions.answer(20, 0))
    await page.waitForLoadState('networkidle')
    await browser.startTracing(page, {categories: ['toplevel', 'devtools.timeline', '__metadata']})
    await ask(page, questions.hostile(name), hostileEnd)
    // what the end of an answer begins: colours, and the copy in the browser's database
    await page.waitForTimeout(2_000)
    const {traceEvents} = JSON.parse((await browser.stopTracing()).toString())
    figures.push({
      name: `${name}: longest task, processor time`,
      kind: 'time',
      value: longestTask(traceEvents),
      unit: 'ms',
      budget: 50,
    })
  }
  await context.close()
  return figures
}
