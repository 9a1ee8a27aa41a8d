import type {Locator, Page} from '@playwright/test'
import {answers, composer, expect, test} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'

/* A keyboard on the screen that does not make the page smaller, as that of Safari on iOS. */

test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

/** Stands for the part of the page that is seen; playwright's browsers have no keyboard of their own. */
const seenPart = () => {
  const part = Object.assign(new EventTarget(), {height: innerHeight, offsetTop: 0, scale: 1})
  Object.defineProperty(window, 'visualViewport', {value: part})
}
type Seen = {height: number; offsetTop: number; scale?: number}

const showPart = (page: Page, seen: Seen): Promise<void> =>
  page.evaluate((next) => {
    const {visualViewport} = window
    if (visualViewport === null) throw new Error('The page has no part that is seen')
    Object.assign(visualViewport, {scale: 1, ...next})
    visualViewport.dispatchEvent(new Event('resize'))
  }, seen)

test('the message field stays above a keyboard that lies over the page', async ({tab: chat, installation}) => {
  await chat.addInitScript(seenPart)
  await chat.goto(`${installation.url}/chatgpt/conversations`)
  const show = (seen: Seen) => showPart(chat, seen)
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

test(
  'the editor of a sent question stays above the keyboard with its buttons, and where the phone is turned',
  long,
  async ({chat, installation, signedIn}) => {
    const {id} = await seedConversation(installation, signedIn, [
      ...numberedTexts(6),
      'a question of many lines\n'.repeat(30),
      'the last answer',
    ])
    await chat.addInitScript(seenPart)
    await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
    await expect(lastMessage(chat)).toBeInViewport()
    const question = answers(chat).nth(6)
    await question.getByRole('button', {name: 'Edit', exact: true}).tap()
    const field = question.getByRole('textbox')
    await expect(field).toBeFocused()
    const expectAbove = async (height: number) => {
      const thread = chat.getByRole('log')
      for (const part of [field, question.getByRole('button', {name: 'Cancel'})])
        await expect
          .poll(async () => {
            const [box, view] = await Promise.all([part.boundingBox(), thread.boundingBox()])
            if (box === null || view === null) return 'nowhere'
            const bottom = box.y + box.height
            return box.y >= view.y && bottom <= view.y + view.height && bottom <= height ? 'seen' : 'hidden'
          })
          .toBe('seen')
    }
    await showPart(chat, {height: 430, offsetTop: 0})
    await expectAbove(430)
    await showPart(chat, {height: 844, offsetTop: 0})
    await expectAbove(844)
    await chat.setViewportSize({width: 844, height: 390})
    await expect(field).toBeInViewport()
  },
)

test(
  'beside questions that wait, a long message and the editor of one stay above the keyboard',
  long,
  async ({chat, modelServer}) => {
    await chat.addInitScript(seenPart)
    await chat.reload()
    modelServer.answer('heron heron')
    modelServer.hold(1)
    for (const question of ['heron', 'one', 'a question of several lines '.repeat(4), 'three']) {
      await composer(chat).fill(question)
      await chat.getByRole('button', {name: 'Send'}).tap()
      await expect(composer(chat)).toHaveValue('')
    }
    const waiting = chat.getByRole('region', {name: 'Next questions'})
    await expect(waiting.getByRole('group')).toHaveCount(3)
    const expectAbove = (part: Locator) =>
      expect
        .poll(async () => {
          const box = await part.boundingBox()
          return box !== null && box.y >= 0 && box.y + box.height <= 430
        })
        .toBe(true)
    await composer(chat).fill('a line\n'.repeat(20))
    await composer(chat).focus()
    await showPart(chat, {height: 430, offsetTop: 0})
    await expectAbove(composer(chat))
    await expectAbove(chat.getByRole('button', {name: 'Stop', exact: true}))

    await showPart(chat, {height: 844, offsetTop: 0})
    await waiting.getByRole('button', {name: 'Edit', exact: true}).nth(1).tap()
    await showPart(chat, {height: 430, offsetTop: 0})
    await expectAbove(waiting.getByRole('textbox'))
    await expectAbove(waiting.getByRole('button', {name: 'Cancel'}))
    await waiting.getByRole('button', {name: 'Cancel'}).tap()
    await expect(composer(chat)).toHaveValue(/^a line/)
    modelServer.release()
  },
)

test('beside the camera of a phone that is turned stands nothing', long, async ({chat, context}) => {
  await chat.setViewportSize({width: 844, height: 390})
  const session = await context.newCDPSession(chat)
  const insets = {left: 47, right: 47, bottom: 21}
  await session.send('Emulation.setSafeAreaInsetsOverride', {insets})
  const expectBeside = async (part: Locator) => {
    await expect(part).toBeVisible()
    await expect.poll(async () => (await part.boundingBox())?.x).toBeGreaterThanOrEqual(47)
    const box = await part.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(844 - 47)
  }
  await expectBeside(chat.getByRole('link', {name: 'Chat', exact: true}))
  await expectBeside(chat.getByRole('button', {name: 'Send'}))
  await chat.getByRole('button', {name: 'Open list'}).tap()
  await expectBeside(chat.getByRole('dialog').getByRole('link', {name: /^New chat/}))
  const overflow = await chat.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)
  expect(overflow).toBe(0)
})
