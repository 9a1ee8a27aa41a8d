import type {Locator, Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {thread} from './support/chat-page.ts'
import {long, some} from './support/full-run.ts'

/** Loads a page whose script is held back. Returns what lets it come. */
async function openHeldBack(page: Page, url: string): Promise<() => void> {
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/app-.*\.js/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(url, {waitUntil: 'commit'})
  return release
}
const early = (page: Page) => page.locator('#early-question')

for (const [width, height] of some([
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const)) {
  test(`text typed before the app is there stays where it stood, ${width} × ${height}`, async ({
    tab: chat,
    installation,
  }) => {
    await chat.setViewportSize({width, height})
    const release = await openHeldBack(chat, `${installation.url}/chatgpt/conversations`)
    await expect(early(chat)).toBeFocused()
    // the styles are there
    await expect(early(chat)).toHaveCSS('max-inline-size', '732px')
    const before = await early(chat).boundingBox()
    await early(chat).pressSequentially('Foo bar')
    release()
    await expect(composer(chat)).toHaveValue('Foo bar')
    await expect(composer(chat)).toBeFocused()
    await expect(early(chat)).toHaveCount(0)
    await expect(chat.getByRole('button', {name: 'Send'})).toBeEnabled()
    // the screen of the opened conversation replaces the early one in between
    await expect
      .poll(async () => {
        const after = await chat.getByRole('main').locator('form').last().boundingBox()
        const sides = ['x', 'y', 'width', 'height'] as const
        return Math.max(...sides.map((side) => Math.abs((after?.[side] ?? Infinity) - (before?.[side] ?? 0))))
      })
      .toBeLessThanOrEqual(1)
  })
}

test.describe('by touch', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

  test('a user who types when the app comes goes on typing', async ({tab: chat, installation}) => {
    const release = await openHeldBack(chat, `${installation.url}/chatgpt/conversations`)
    await early(chat).tap()
    await early(chat).pressSequentially('Foo')
    release()
    await expect(early(chat)).toHaveCount(0)
    await expect(chat.getByRole('button', {name: 'Attach files'})).toBeVisible()
    await expect(composer(chat)).toBeFocused()
    await chat.keyboard.type(' bar')
    await expect(composer(chat)).toHaveValue('Foo bar')
  })
})

test('Enter asks before the app is there, once', async ({tab: chat, installation}) => {
  const release = await openHeldBack(chat, installation.url)
  await early(chat).fill('Foo')
  await early(chat).press('Enter')
  release()
  await expect(thread(chat)).toContainText('Foo')
  await expect(composer(chat)).toHaveValue('')
})

test('a change after Enter takes the question back', long, async ({chat, installation}) => {
  const release = await openHeldBack(chat, installation.url)
  await early(chat).fill('Foo')
  await early(chat).press('Enter')
  await early(chat).pressSequentially(' bar')
  release()
  await expect(composer(chat)).toHaveValue('Foo bar')
  await expect(chat.getByRole('button', {name: 'Send'})).toBeEnabled()
})

test('no other page has the field', long, async ({chat, installation}) => {
  const release = await openHeldBack(chat, `${installation.url}/suno`)
  await expect(early(chat)).toBeHidden()
  release()
})

/** The distance of the caret from the left, as a part of the width of its field; `undefined` while it blinks. */
async function caretOf(page: Page, field: Locator): Promise<number | undefined> {
  await field.evaluate((element) => (element.style.caretColor = 'red'))
  const image = await field.screenshot({caret: 'initial'})
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], {type: 'image/png'}))
    const {width, height} = bitmap
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    canvas?.drawImage(bitmap, 0, 0)
    const {data = []} = canvas?.getImageData(0, 0, width, height) ?? {}
    const red = Array.from(data).findIndex((value, at) => at % 4 === 0 && value > 200 && (data[at + 1] ?? 255) < 60)
    return red < 0 ? undefined : ((red / 4) % width) / width
  }, image.toString('base64'))
}

test(
  'in Arabic the caret of an empty field stands at the right, where its words begin',
  long,
  async ({tab: chat, installation}) => {
    await chat.context().addCookies([{name: 'LOCALE', value: 'ar', url: installation.url}])
    await chat.goto(`${installation.url}/chatgpt/conversations`)
    const field = chat.getByRole('main').getByRole('textbox')
    await expect(early(chat)).toHaveCount(0)
    await expect(field).toBeFocused()
    await expect.poll(() => caretOf(chat, field)).toBeGreaterThan(0.5)
    // words have their own direction
    await field.pressSequentially('a')
    await expect.poll(() => caretOf(chat, field)).toBeLessThan(0.5)
  },
)
