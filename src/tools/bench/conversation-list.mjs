import {frameFigures, watchFrames} from './frames.mjs'
import {fillConversations, openWithAll} from './many-conversations.mjs'

const many = 2_000
const steps = 60
const stepPixels = 400
const mostRows = 60
const leastFrames = 55

/** Scrolls a list of 2,000 conversations by a wheel. @type {import('./figures.mjs').Part} */
export const conversationList = async (bench) => {
  const {userId} = await bench.user()
  await fillConversations(bench, userId, {count: many, messages: 2})
  const context = await bench.freshContext()
  const page = await context.newPage()
  await openWithAll(bench, page)
  const list = page.getByRole('navigation', {name: 'Conversations'})
  const rows = () => page.evaluate(() => document.querySelectorAll('nav a[data-row]').length)
  // the first row, to which Tab leads, stays in the page
  const lowest = () => list.getByRole('link').last().textContent()
  const before = await lowest()
  await list.getByRole('link').nth(5).hover()
  const frames = await watchFrames(page)
  let mostSeen = await rows()
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, stepPixels)
    mostSeen = Math.max(mostSeen, await rows())
  }
  const frameCounts = await frames()
  if ((await lowest()) === before) throw new Error('The list did not scroll')
  await context.close()
  return [
    ...frameFigures(frameCounts, leastFrames),
    {name: 'most rows in the page', kind: 'count', value: mostSeen, unit: '', budget: mostRows},
  ]
}
