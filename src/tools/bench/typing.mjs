import {median, quantile, time} from './figures.mjs'
import {composer} from './installation.mjs'
import {fillConversation} from './long-conversation.mjs'
import {questions} from './model-server.mjs'

const messages = 500
const tokensPerSecond = 200
const keyCount = 100
/** A fast typist: 12 keys a second. */
const keyPause = 80

/** Keys that are pressed while an answer grows below 500 messages. @type {import('./figures.mjs').Part} */
export const typing = async (bench) => {
  const {userId} = await bench.user()
  await fillConversation(bench, userId, 'Typing', messages)
  const context = await bench.freshContext()
  const page = await context.newPage()
  await page.goto(`${bench.url}/chatgpt/conversations`)
  await page
    .getByRole('navigation', {name: 'Conversations'})
    .getByRole('link', {name: /^Typing/})
    .click()
  await page.getByText(`Message ${messages}.`).waitFor()
  await composer(page).fill(questions.answer(keyCount * 100, tokensPerSecond))
  await composer(page).press('Enter')
  await page.getByRole('heading', {name: 'Part 3'}).waitFor()
  await page.evaluate(() => {
    const keys = {handled: /** @type {number[]} */ ([]), shown: /** @type {number[]} */ ([])}
    Object.assign(window, {keys})
    let pressedAt = 0
    addEventListener('keydown', ({timeStamp}) => (pressedAt = timeStamp), true)
    // the last listener of all: React's are at the root of the app
    addEventListener('input', () => {
      const at = pressedAt
      queueMicrotask(() => keys.handled.push(performance.now() - at))
      requestAnimationFrame(() => setTimeout(() => keys.shown.push(performance.now() - at)))
    })
  })
  for (let key = 0; key < keyCount; key += 1) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'a')
    await page.waitForTimeout(keyPause)
  }
  const stop = page.getByRole('button', {name: 'Stop', exact: true})
  const isStreaming = await stop.isVisible()
  if (!isStreaming) throw new Error('The answer ended before the last key')
  /** @type {{handled: number[], shown: number[]}} */
  const {handled, shown} = await page.evaluate(() => {
    // @ts-expect-error put there above
    return window.keys
  })
  // or the pages of the next part would follow it
  await stop.click()
  await stop.waitFor({state: 'detached'})
  await context.close()
  return [
    time('a key is in the field, median', median(handled)),
    time('a key is in the field, p95', quantile(handled, 0.95), 16),
    time('a key is on screen, median', median(shown)),
    time('a key is on screen, p95', quantile(shown, 0.95)),
  ]
}
