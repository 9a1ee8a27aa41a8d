import {questions} from './model-server.mjs'
import {median, quantile, time} from './figures.mjs'
import {watchFrames} from './frames.mjs'
import {measureHeap, megabyte} from './heap.mjs'
import {answerWithoutDebugger, untilStill} from './plain-streaming.mjs'
import {processorTime} from './processor-time.mjs'

const tokensPerSecond = 200
const tokenCount = 6_000
const warmTokens = 2_000
/** The length of the second answer, in which frames are counted: counting asks for sixty a second, which is work. */
const countedTokens = 2_000
/** The length of the third answer, whose words are the times of their sending. */
const stampCount = 1_500

/** Measures the main thread's work while a long Markdown answer is written. @type {import('./figures.mjs').Part} */
export const streaming = async (bench) => {
  const context = await bench.freshContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(`${bench.url}/chatgpt/conversations`)
  // long enough for the page to have its code, which is no growth
  await ask(page, questions.answer(warmTokens, 0))
  await page.waitForLoadState('networkidle')
  await page.evaluate(untilStill)

  const browser = context.browser()
  if (browser === null) throw new Error('The page has no browser')
  const system = await browser.newBrowserCDPSession()
  /** Reads the times of each renderer. The browser keeps spare ones, so ours is the one that works. */
  const threadTimes = async () => {
    const {processInfo} = await system.send('SystemInfo.getProcessInfo')
    const renderers = processInfo.filter(({type}) => type === 'renderer')
    return new Map(renderers.map(({id}) => [id, processorTime(id, {mainThread: true})]))
  }
  const metrics = async () =>
    Object.fromEntries((await session.send('Performance.getMetrics')).metrics.map(({name, value}) => [name, value]))

  const heapBefore = await measureHeap(session)
  const before = await metrics()
  const threadsBefore = await threadTimes()
  const startedAt = performance.now()
  await ask(page, questions.answer(tokenCount, tokensPerSecond))
  const took = performance.now() - startedAt
  const after = await metrics()
  const threadsAfter = await threadTimes()
  await page.evaluate(untilStill)
  const heapAfter = await measureHeap(session)
  const threadTime = Math.max(...[...threadsAfter].map(([id, time]) => (time ?? NaN) - (threadsBefore.get(id) ?? 0)))

  await page.goto(`${bench.url}/chatgpt/conversations`)
  await ask(page, questions.answer(20, 0))
  const frames = await watchFrames(page)
  await ask(page, questions.answer(countedTokens, tokensPerSecond))
  const frameCounts = await frames()

  await page.goto(`${bench.url}/chatgpt/conversations`)
  await ask(page, questions.answer(20, 0))
  const delays = await delaysOf(page, questions.stamps(stampCount, tokensPerSecond))
  await context.close()

  const plain = await answerWithoutDebugger(bench, {
    warm: questions.answer(warmTokens, 0),
    measured: questions.answer(tokenCount, tokensPerSecond),
  })

  const spent = (/** @type {string} */ name) => ((after[name] ?? 0) - (before[name] ?? 0)) * 1_000
  return [
    time('answer from question to end', took),
    ...(Number.isFinite(threadTime) ? [time('main thread, processor time', threadTime, 2_900)] : []),
    ...(Number.isFinite(plain.mainThread)
      ? [time('the same without a debugger in the page', plain.mainThread, 2_900)]
      : []),
    time('main thread, tasks by the clock', spent('TaskDuration'), 2_900),
    time('of it scripts', spent('ScriptDuration')),
    time('of it styles and layout', spent('RecalcStyleDuration') + spent('LayoutDuration')),
    {
      name: 'heap growth',
      kind: 'bytes',
      value: (heapAfter.heap - heapBefore.heap) / megabyte,
      unit: 'MiB',
      budget: 3,
    },
    {name: 'the same without a debugger in the page', kind: 'bytes', value: plain.heap, unit: 'MiB', budget: 3},
    {name: 'tasks over 50 ms', kind: 'time', value: frameCounts.tasks.length, unit: 'tasks', budget: 0},
    time('longest of them', Math.max(0, ...frameCounts.tasks)),
    time('frames, median', median(frameCounts.frames)),
    time('frames, p95', quantile(frameCounts.frames, 0.95), 20),
    time('text on screen after the model sent it, median', median(delays), 50),
    time('text on screen after the model sent it, p95', quantile(delays, 0.95), 100),
  ]
}

/**
 * Milliseconds from the sending of each word to the frame that shows it. The words are times of the same clock.
 * @param {import('playwright').Page} page @param {string} question @returns {Promise<number[]>}
 */
async function delaysOf(page, question) {
  await page.evaluate(() => {
    const delays = /** @type {number[]} */ ([])
    Object.assign(window, {delays})
    let newest = 0
    const look = () => {
      const text = [...document.querySelectorAll('[role=log] article')].at(-1)?.textContent ?? ''
      const stamps = (text.slice(-2_000).match(/\b\d{13}(?=\s|\d|$)/g) ?? []).map(Number)
      const now = Date.now()
      for (const stamp of stamps.filter((each) => each > newest)) delays.push(now - stamp)
      newest = Math.max(newest, ...stamps)
    }
    new MutationObserver(() => requestAnimationFrame(() => setTimeout(look))).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    })
  })
  await ask(page, question)
  return page.evaluate(() => {
    // @ts-expect-error put there above
    return window.delays
  })
}

/**
 * Asks for an answer and waits for its end. A locator by role would look at the whole page again and again, which was a
 * third of all the page's work; two such looks for the field alone are 12 ms below a long answer, 48 at a quarter of
 * the processor.
 * @param {import('playwright').Page} page @param {string} question @param {string} [end] text that the answer ends with
 */
export async function ask(page, question, end = '') {
  const answers = await page.evaluate(() => document.querySelectorAll('[role=log] article').length)
  const field = page.locator('main textarea').last()
  await field.fill(question)
  await field.press('Enter')
  await page.waitForFunction(
    ({answers, end}) => {
      const articles = [...document.querySelectorAll('[role=log] article')]
      return (
        articles.length > answers + 1 &&
        (end === '' || articles.at(-1)?.textContent?.includes(end)) &&
        document.querySelector('button[aria-label="Stop"]') === null
      )
    },
    {answers, end},
    {polling: 250, timeout: 150_000},
  )
}
