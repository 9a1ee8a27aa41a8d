import {composer} from './installation.mjs'

const changes = 50
const megabyte = 1_048_576

/** What is left of 50 visits to the screens of the rail. @type {import('./figures.mjs').Part} */
export const routes = async (bench) => {
  const context = await bench.freshContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('HeapProfiler.enable')
  await page.goto(`${bench.url}/chatgpt/conversations`)
  await composer(page).waitFor()
  const paths = await page.evaluate(() =>
    [
      ...new Set([...document.querySelectorAll('nav a[href^="/"]')].map((link) => link.getAttribute('href') ?? '')),
    ].slice(0, 6),
  )
  if (paths.length < 2) throw new Error('The page has no links to go to')

  const go = async (/** @type {number} */ index) => {
    const path = paths[index % paths.length] ?? '/'
    await page.locator(`nav a[href="${path}"]`).first().click()
    await page.getByRole('main').waitFor()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  }
  const measure = async () => {
    // Twice: what a finaliser lets go of is collected by the second.
    await session.send('HeapProfiler.collectGarbage')
    await session.send('HeapProfiler.collectGarbage')
    const {metrics} = await session.send('Performance.getMetrics')
    const value = (/** @type {string} */ name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
    return {heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners')}
  }
  // Twice around first: screens load their code and fill their caches once.
  const warm = paths.length * 2
  for (let index = 0; index < warm; index += 1) await go(index)
  const before = await measure()
  const rounds = Math.ceil(changes / paths.length) * paths.length
  for (let index = 0; index < rounds; index += 1) await go(index)
  const after = await measure()
  await context.close()
  return [
    {
      name: `heap growth after ${rounds} changes`,
      kind: 'bytes',
      value: (after.heap - before.heap) / megabyte,
      unit: 'MiB',
      budget: 5,
    },
    {name: 'growth of DOM nodes', kind: 'count', value: after.nodes - before.nodes, unit: '', budget: 50},
    {name: 'growth of listeners', kind: 'count', value: after.listeners - before.listeners, unit: '', budget: 10},
    {name: 'heap', kind: 'bytes', value: after.heap / megabyte, unit: 'MiB'},
    {name: 'DOM nodes', kind: 'count', value: after.nodes, unit: ''},
    {name: 'listeners', kind: 'count', value: after.listeners, unit: ''},
  ]
}
