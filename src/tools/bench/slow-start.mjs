import {median} from './figures.mjs'
import {openPlainBrowser} from './plain-browser.mjs'

const rounds = 5
/** Slow 4G: 150 ms a round trip, 1.6 Mbit/s down, 750 kbit/s up. Throughputs are bytes per second. */
const slow4g = {offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000}
const slowdown = 4

/** Keeps the milliseconds from navigation to the first frame with a text field, and with the app's composer. */
const watchPage = () => {
  const mark = (/** @type {string} */ name, /** @type {string} */ selector) => {
    const field = document.querySelector(selector)
    const isThere = field instanceof HTMLTextAreaElement && field.getClientRects().length > 0
    if (!isThere || field.disabled || field.readOnly || marks.has(name)) return
    marks.add(name)
    requestAnimationFrame(() => performance.mark(name))
  }
  const look = () => {
    mark('field', 'textarea')
    mark('composer', 'main textarea')
    if (marks.has('composer')) observer.disconnect()
  }
  /** @type {Set<string>} */
  const marks = new Set()
  const observer = new MutationObserver(look)
  observer.observe(document, {childList: true, subtree: true, attributes: true})
}

/** The figures of the page, as soon as its composer is there. It asks once: asking again would take of the time. */
const readFigures = () =>
  new Promise((resolve) => {
    const at = (/** @type {string} */ name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN
    const look = () => {
      if (performance.getEntriesByName('composer').length === 0) return
      resolve({field: at('field'), composer: at('composer'), firstPaint: at('first-contentful-paint')})
    }
    new PerformanceObserver(look).observe({type: 'mark', buffered: true})
  })

/**
 * @param {Awaited<ReturnType<typeof openPlainBrowser>>} browser @param {import('./installation.mjs').Bench} bench
 * @returns {Promise<{field: number, composer: number, firstPaint: number}>}
 */
const openOnce = async (browser, bench) => {
  const tab = await browser.freshTab((await bench.user()).storage)
  await tab.send('Emulation.setDeviceMetricsOverride', {width: 1440, height: 900, deviceScaleFactor: 1, mobile: false})
  await tab.send('Network.emulateNetworkConditions', slow4g)
  await tab.send('Emulation.setCPUThrottlingRate', {rate: slowdown})
  await tab.send('Page.addScriptToEvaluateOnNewDocument', {source: `(${watchPage})()`})
  await tab.open(`${bench.url}/chatgpt/conversations`, 'Page.domContentEventFired')
  const figures = await tab.evaluate(`(${readFigures})()`)
  await tab.close()
  return figures
}

/** Cold, signed in, an empty chat: a quarter of the speed and slow 4G. @type {import('./figures.mjs').Part} */
export const slowStart = async (bench) => {
  const browser = await openPlainBrowser()
  const visits = []
  try {
    for (let round = 0; round < rounds; round += 1) visits.push(await openOnce(browser, bench))
  } finally {
    await browser.close()
  }
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
