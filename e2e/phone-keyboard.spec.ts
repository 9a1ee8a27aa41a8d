import {composer, expect, test} from './fixtures.ts'

/* A keyboard on the screen that does not make the page smaller, as that of Safari on iOS. */

test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

/** Stands for the part of the page that is seen; playwright's browsers have no keyboard of their own. */
const seenPart = () => {
  const part = Object.assign(new EventTarget(), {height: innerHeight, offsetTop: 0, scale: 1})
  Object.defineProperty(window, 'visualViewport', {value: part})
}
type Seen = {height: number; offsetTop: number; scale?: number}

test('the message field stays above a keyboard that lies over the page', async ({tab: chat, installation}) => {
  await chat.addInitScript(seenPart)
  await chat.goto(`${installation.url}/chatgpt/conversations`)
  const show = (seen: Seen) =>
    chat.evaluate((next) => {
      const {visualViewport} = window
      if (visualViewport === null) throw new Error('The page has no part that is seen')
      Object.assign(visualViewport, {scale: 1, ...next})
      visualViewport.dispatchEvent(new Event('resize'))
    }, seen)
  const edges = () =>
    composer(chat).evaluate((field) => {
      const {top, bottom} = (field.closest('form') ?? field).getBoundingClientRect()
      return {top, bottom}
    })
  await composer(chat).tap()
  await show({height: 430, offsetTop: 0})
  await expect.poll(async () => (await edges()).bottom).toBeLessThanOrEqual(430)
  expect((await edges()).top).toBeGreaterThanOrEqual(0)

  // Safari moves the part that is seen as well
  await show({height: 430, offsetTop: 300})
  await expect.poll(async () => (await edges()).bottom).toBeGreaterThan(430)
  expect((await edges()).bottom).toBeLessThanOrEqual(730)

  await show({height: 844, offsetTop: 0})
  await expect.poll(async () => (await edges()).bottom).toBeGreaterThan(700)
  // two fingers that zoom are no keyboard
  await show({height: 422, offsetTop: 0, scale: 2})
  expect((await edges()).bottom).toBeGreaterThan(700)
})
