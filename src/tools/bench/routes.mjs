import {growthFigures, measureHeap, megabyte} from './heap.mjs'
import {composer} from './installation.mjs'

const changes = 50

/** Measures the heap that 50 visits to the screens of the rail leave. @type {import('./figures.mjs').Part} */
export const routes = async (bench) => {
  const context = await bench.freshContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
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
  // Twice around first: screens load their code and fill their caches once.
  const warm = paths.length * 2
  for (let index = 0; index < warm; index += 1) await go(index)
  const before = await measureHeap(session)
  const rounds = Math.ceil(changes / paths.length) * paths.length
  for (let index = 0; index < rounds; index += 1) await go(index)
  const after = await measureHeap(session)
  await context.close()
  return [
    ...growthFigures(`${rounds} changes`, before, after),
    {name: 'heap', kind: 'bytes', value: after.heap / megabyte, unit: 'MiB'},
    {name: 'DOM nodes', kind: 'count', value: after.nodes, unit: ''},
    {name: 'listeners', kind: 'count', value: after.listeners, unit: ''},
  ]
}
