import type {Locator, Page} from '@playwright/test'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {AnyScreen} from '#features/media/any-tool.ts'
import {readLocale} from '#tools/locales.mjs'
import {readIdentities} from '#tools/media-tools.mjs'
import {expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {fillByKeys} from './support/form-keys.ts'
import {expectSeenFocus, tabTo} from './support/keyboard.ts'
import {cards} from './support/media-page.ts'
import {isFull} from './support/full-run.ts'

/*
 * Every tool on a phone in Arabic, by nothing but keys: from its address to a result that is really there. The default
 * run walks the tool with the longest form, the full run all that there are.
 */
test.use({locale: 'ar', viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

const tools = readIdentities()
  .map(({id}) => String(id))
  .filter((id) => isFull || id === 'suno')

const words: Record<string, string> = readLocale('ar')
const word = (id: string): string => {
  const message = words[id]
  if (message === undefined) throw new Error(`Arabic has no message ${id}`)
  return message
}
/** A message with a value behind its words, as the beginning of a name. */
const startOf = (id: string, next = '') => new RegExp(`^${word(id).replace(/\{.*/, '')}${next}`)

async function valuesOf(id: string): Promise<{tool: MediaTool; screen: AnyScreen}> {
  // as: every tool's two files export these (docs/media-tools.md)
  const {tool} = (await import(`../src/contract/media/${id}.ts`)) as {tool: MediaTool}
  const {screen} = (await import(`../src/contract/media/${id}.screen.ts`)) as {screen: AnyScreen}
  return {tool, screen}
}

/**
 * Expects a page from right to left, with nothing beside it or over its neighbour in the head, and nothing that axe
 * finds.
 */
async function expectSound(page: Page): Promise<void> {
  const shape = await page.evaluate(() => {
    const over = (element: Element | null) => (element === null ? NaN : element.scrollWidth - element.clientWidth)
    return {
      dir: document.documentElement.dir,
      page: over(document.documentElement),
      head: over(document.querySelector('header > div')),
    }
  })
  expect(shape).toEqual({dir: 'rtl', page: 0, head: 0})
  expect(await axeFaults(page)).toEqual([])
}

async function expectRoomForFinger(target: Locator): Promise<void> {
  const {width = 0, height = 0} = (await target.boundingBox()) ?? {}
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
}

const isLoaded = (media: Locator): Promise<boolean> =>
  media.evaluate((element) =>
    element instanceof HTMLImageElement
      ? element.complete && element.naturalWidth > 0
      : element instanceof HTMLMediaElement &&
        element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA &&
        element.duration > 0,
  )

/** The player's element is in no document: the page remembers what was made. */
async function rememberAudio(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const create = document.createElement.bind(document)
    const made: HTMLAudioElement[] = []
    Object.assign(globalThis, {made})
    document.createElement = (name: string) => {
      const element = create(name)
      if (element instanceof HTMLAudioElement) made.push(element)
      return element
    }
  })
}

const isHeard = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    // as: `rememberAudio` put it there
    const {made} = globalThis as unknown as {made: HTMLAudioElement[]}
    return made.some(({readyState, duration}) => readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && duration > 0)
  })

for (const id of tools) {
  test(`${id} on a phone in Arabic, by keyboard: form, request, result`, async ({chat: page}) => {
    const {tool, screen} = await valuesOf(id)
    await rememberAudio(page)
    await page.goto(new URL(`/${id}`, page.url()).href)
    const settings = page.getByRole('main').getByRole('button', {name: startOf('common.mediaSettings', ': ')})
    const generateName = startOf(tool.identity.group === 'music' ? 'common.mediaCreate' : 'common.mediaGenerate')
    await expectRoomForFinger(settings)
    await expectRoomForFinger(page.getByRole('main').getByRole('button', {name: generateName}))

    await tabTo(page, settings)
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog')
    const prompt = `قارب صغير ${id}`
    await fillByKeys({page, sheet, tool, screen, words}, prompt)
    await expectSound(page)
    const generate = sheet.getByRole('button', {name: generateName})
    await tabTo(page, generate)
    await expectRoomForFinger(generate)
    await page.keyboard.press('Enter')
    await expect(sheet).toHaveCount(0)
    await expectSeenFocus(page)

    const card = cards(page).first()
    if (screen.results === 'songs') {
      const play = card.getByRole('button', {name: startOf('common.mediaPlayOf')}).first()
      await play.waitFor()
      await tabTo(page, play, 'Shift+Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => isHeard(page)).toBe(true)
    } else {
      // while it is made, a card may show what went in
      const open = startOf(tool.identity.group === 'video' ? 'common.mediaPlayOf' : 'common.mediaOpenOf')
      await card.getByRole('button', {name: open}).first().waitFor()
      const image = card.locator('img, video').first()
      await expect.poll(() => isLoaded(image)).toBe(true)
      await expectRoomForFinger(card.getByRole('button', {name: word('common.mediaMore')}).first())
      await tabTo(page, card, 'Shift+Tab')
      await page.keyboard.press('Enter')
      const medium = tool.identity.group === 'video' ? 'video' : 'img'
      await expect.poll(() => isLoaded(page.getByRole('dialog').locator(medium).first())).toBe(true)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await expectSound(page)
  })
}
