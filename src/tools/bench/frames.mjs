import {median, quantile, time} from './figures.mjs'

/** Sixty a second, and some tolerance of the clock. */
const longestFrame = 18

/** @typedef {{frames: number[], tasks: number[]}} Seen milliseconds between frames, and of each task over 50 ms */

/**
 * Counts frames and long tasks of a page from now on. @param {import('playwright').Page} page @returns {Promise<() =>
 * Promise<Seen>>} ends it
 */
export async function watchFrames(page) {
  await page.evaluate(() => {
    const watch = {tasks: /** @type {number[]} */ ([]), frames: /** @type {number[]} */ ([]), isOn: true}
    Object.assign(window, {seen: watch})
    const tasks = new PerformanceObserver((list) => {
      if (watch.isOn) watch.tasks.push(...list.getEntries().map(({duration}) => duration))
      else tasks.disconnect()
    })
    tasks.observe({type: 'longtask'})
    let last = performance.now()
    const frame = (/** @type {number} */ now) => {
      watch.frames.push(now - last)
      last = now
      if (watch.isOn) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  return () =>
    page.evaluate(async () => {
      // what is observed is reported in a later task
      await new Promise((resolve) => setTimeout(resolve, 100))
      // @ts-expect-error put there above
      const {seen} = window
      seen.isOn = false
      return {tasks: seen.tasks, frames: seen.frames.slice(1)}
    })
}

/** @param {Seen} seen @param {number} least frames a second @returns {import('./figures.mjs').Figure[]} */
export const frameFigures = ({frames, tasks}, least) => {
  const whole = frames.reduce((sum, frame) => sum + frame, 0)
  return [
    {name: 'frames a second, all of them', kind: 'time', value: (1_000 * frames.length) / whole, unit: '', least},
    {name: 'frames a second, median', kind: 'time', value: 1_000 / median(frames), unit: ''},
    {
      name: `frames over ${longestFrame} ms`,
      kind: 'time',
      value: (100 * frames.filter((frame) => frame > longestFrame).length) / frames.length,
      unit: '%',
    },
    time('frames, median', median(frames)),
    time('frames, p95', quantile(frames, 0.95)),
    time('the longest frame', Math.max(...frames)),
    ...taskFigures(tasks),
  ]
}

/** @param {readonly number[]} tasks @returns {import('./figures.mjs').Figure[]} */
export const taskFigures = (tasks) => [
  {name: 'tasks over 50 ms', kind: 'time', value: tasks.length, unit: 'tasks'},
  time('longest of them', Math.max(0, ...tasks)),
]
