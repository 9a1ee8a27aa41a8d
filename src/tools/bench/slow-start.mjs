import {median} from './figures.mjs'
import {composer} from './installation.mjs'

const rounds = 5
/** Slow 4G: 150 ms a round trip, 1.6 Mbit/s down, 750 kbit/s up. Throughputs are bytes per second. */
const slow4g = {offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000}
const slowdown = 4

/** Keeps the milliseconds since the navigation of the first frame with a field that takes text, and of the app's composer. */
const watchPage = () => {
  const mark = (/** @type {string} */ name, /** @type {string} */ selector) => {
    const field = document.querySelector(selector)
    const isThere = field instanceof HTMLTextAreaElement && field.getClientRects().length > 0
    if (!isThere || field.disabled || field.readOnly || marked.has(name)) return
    marked.add(name)
    requestAnimationFrame(() => performance.mark(name))
  }
  const look = () => {
    mark('field', 'textarea')
    mark('composer', 'main textarea')
    if (marked.has('composer')) observer.disconnect()
  }
  /** @type {Set<string>} */
  const marked = new Set()
  const observer = new MutationObserver(look)
  observer.observe(document, {childList: true, subtree: true, attributes: true})
}

/** @param {import('./installation.mjs').Bench} bench */
const openOnce = async (bench) => {
  const context = await bench.freshContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow4g)
  await session.send('Emulation.setCPUThrottlingRate', {rate: slowdown})
  await page.addInitScript(watchPage)
  await page.goto(`${bench.url}/chatgpt/conversations`)
  await composer(page).waitFor()
  await page.waitForFunction(() => performance.getEntriesByName('composer').length > 0)
  const figures = await page.evaluate(() => ({
    field: performance.getEntriesByName('field')[0]?.startTime ?? Number.NaN,
    composer: performance.getEntriesByName('composer')[0]?.startTime ?? Number.NaN,
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  }))
  await context.close()
  return figures
}

/** Cold, signed in, on an empty new chat: a processor of a quarter of the speed and slow 4G. @type {import('./figures.mjs').Part} */
export const slowStart = async (bench) => {
  const visits = []
  for (let round = 0; round < rounds; round += 1) visits.push(await openOnce(bench))
  return [
    {
      name: 'navigation to first paint, median',
      kind: 'time',
      value: median(visits.map(({firstPaint}) => firstPaint)),
      unit: 'ms',
    },
    {
      name: 'navigation to a field whose text the composer takes on, median',
      kind: 'time',
      value: median(visits.map(({field}) => field)),
      unit: 'ms',
    },
    {
      name: 'navigation to usable composer, median',
      kind: 'time',
      value: median(visits.map((visit) => visit.composer)),
      unit: 'ms',
      budget: 1800,
    },
  ]
}
