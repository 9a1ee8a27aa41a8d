import {composer} from './installation.mjs'
import {questions} from './model-server.mjs'
import {median, quantile} from './figures.mjs'
import {processorTime} from './processor-time.mjs'

const [tokenCount, tokensPerSecond] = [6_000, 200]
const answerMilliseconds = (tokenCount / tokensPerSecond) * 1_000

/** What the main thread does while a long Markdown answer is written. @type {import('./figures.mjs').Part} */
export const streaming = async (bench) => {
  const context = await bench.freshContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(`${bench.url}/chatgpt/conversations`)
  await composer(page).fill(questions.answer(20, 0))
  await composer(page).press('Enter')
  const articles = page.getByRole('log').getByRole('article')
  await articles.nth(1).waitFor()
  await page.getByRole('button', {name: 'Stop'}).waitFor({state: 'detached'})
  await page.waitForLoadState('networkidle')

  const browser = context.browser()
  if (browser === null) throw new Error('The page has no browser')
  const system = await browser.newBrowserCDPSession()
  const {processInfo} = await system.send('SystemInfo.getProcessInfo')
  // The browser keeps a spare renderer: ours is the one that has worked most.
  const renderer = processInfo.filter(({type}) => type === 'renderer').toSorted((a, b) => b.cpuTime - a.cpuTime)[0]
  if (renderer === undefined) throw new Error('The browser names no renderer')
  const threadTime = () => processorTime(renderer.id, {mainThread: true})

  const metrics = async () =>
    Object.fromEntries((await session.send('Performance.getMetrics')).metrics.map(({name, value}) => [name, value]))
  await page.evaluate(() => {
    const seen = {tasks: /** @type {number[]} */ ([]), frames: /** @type {number[]} */ ([]), isOn: true}
    Object.assign(window, {seen})
    new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({duration}) => duration))).observe({
      type: 'longtask',
    })
    let last = performance.now()
    const frame = (/** @type {number} */ now) => {
      seen.frames.push(now - last)
      last = now
      if (seen.isOn) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  await composer(page).fill(questions.answer(tokenCount, tokensPerSecond))
  const before = await metrics()
  const threadBefore = threadTime()
  const startedAt = performance.now()
  await composer(page).press('Enter')
  await page.getByRole('button', {name: 'Stop'}).waitFor()
  await page.getByRole('button', {name: 'Stop'}).waitFor({state: 'detached', timeout: answerMilliseconds * 4})
  const took = performance.now() - startedAt
  const after = await metrics()
  const threadAfter = threadTime()
  const seen = await page.evaluate(() => {
    // @ts-expect-error put there above
    const {seen} = window
    seen.isOn = false
    return {tasks: seen.tasks, frames: seen.frames.slice(1)}
  })
  await context.close()

  const spent = (/** @type {string} */ name) => ((after[name] ?? 0) - (before[name] ?? 0)) * 1_000
  const time = (
    /** @type {string} */ name,
    /** @type {number} */ value,
    /** @type {number | undefined} */ budget = undefined,
  ) => ({
    name,
    kind: /** @type {const} */ ('time'),
    value,
    unit: 'ms',
    ...(budget === undefined ? {} : {budget}),
  })
  return [
    time('answer from question to end', took),
    ...(threadBefore === undefined || threadAfter === undefined
      ? []
      : [time('main thread, processor time', threadAfter - threadBefore, 5_000)]),
    time('main thread, tasks by the clock', spent('TaskDuration'), 5_000),
    time('of it scripts', spent('ScriptDuration')),
    time('of it styles and layout', spent('RecalcStyleDuration') + spent('LayoutDuration')),
    {name: 'tasks over 50 ms', kind: 'time', value: seen.tasks.length, unit: 'tasks', budget: 0},
    time('longest of them', Math.max(0, ...seen.tasks)),
    time('frames, median', median(seen.frames)),
    time('frames, p95', quantile(seen.frames, 0.95), 20),
  ]
}
