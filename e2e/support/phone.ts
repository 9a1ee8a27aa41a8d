import {expect, type Locator, type Page} from '@playwright/test'
import {axeFaults} from './axe.ts'
import {composer} from './chat-page.ts'
import {made} from './media-page.ts'
import {wordsOf} from './words-of.ts'

const darkPhone = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, colorScheme: 'dark'} as const

/** A phone whose user reads Arabic and has its system dark. */
export const arabicPhone = {...darkPhone, locale: 'ar'} as const

/** The direction in which a language is written. */
export const directionOf = (locale: string | undefined) => (locale === 'ar' ? 'rtl' : 'ltr')

/** The same; in the project `english phone` its user reads English. */
export const anyPhone = {
  ...darkPhone,
  locale: ({userLocale}: {userLocale: string | undefined}, give: (locale: string) => Promise<void>) =>
    give(userLocale ?? 'ar'),
}

/** A name that begins with a message up to its first value. */
export const startOf = (message: string) => new RegExp(`^${message.replace(/\{.*/s, '').trim()}`)

/**
 * The page follows the theme of its system: axe finds nothing in either, and nothing is wider than the screen.
 * `reload`: pages of readers choose the theme as they load.
 */
export async function expectGoodInBothThemes(
  page: Page,
  state: string,
  reload?: () => Promise<unknown>,
): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({colorScheme: theme})
    await reload?.()
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    expect.soft(await axeFaults(page), `${state}, ${theme}: axe`).toEqual([])
  }
  const overflow = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)
  expect.soft(overflow, `${state}: wider than the screen`).toBe(0)
}

/** Asks by the button: Enter is a line break on touch. */
export async function askByTouch(page: Page, question: string): Promise<void> {
  const word = await wordsOf(page)
  await composer(page).fill(question)
  await page.getByRole('button', {name: word('chat.send'), exact: true}).tap()
  await expect(composer(page)).toHaveValue('')
}

/**
 * Every button of a part is as large as a finger, and wholly within the width of the screen, or comes there by a swipe.
 */
export async function expectForFingers(page: Page, part: Locator): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  for (const button of await part.getByRole('button').filter({visible: true}).all()) {
    await button.evaluate((element) => {
      // not in whatever happens to scroll: that would hide a button beyond the edge
      const isSwiped = (row: Element | null) => row !== null && getComputedStyle(row).scrollSnapType !== 'none'
      let entry: Element | null = element
      while (entry !== null && !isSwiped(entry.parentElement)) entry = entry.parentElement
      entry?.scrollIntoView({block: 'nearest', inline: 'start', behavior: 'instant'})
    })
    const box = await button.boundingBox()
    const name = (await button.getAttribute('aria-label')) ?? (await button.innerText())
    expect.soft(box?.height, `height of ${name}`).toBeGreaterThanOrEqual(44)
    expect.soft(box?.width, `width of ${name}`).toBeGreaterThanOrEqual(44)
    expect.soft(box?.x, `start of ${name}`).toBeGreaterThanOrEqual(0)
    expect.soft((box?.x ?? 0) + (box?.width ?? 0), `end of ${name}`).toBeLessThanOrEqual(width)
  }
}

/** The tabs come back a moment after typing has ended, and move what stands over them. */
export async function tabsAreBack(page: Page): Promise<void> {
  const word = await wordsOf(page)
  await page.getByRole('navigation', {name: word('index.nav')}).waitFor()
}

/** Opens one of the sections of the tab bar. */
export async function goTo(page: Page, section: 'chat' | 'image' | 'you'): Promise<void> {
  const word = await wordsOf(page)
  await page
    .getByRole('navigation', {name: word('index.nav')})
    .getByRole('link', {name: word(`index.${section}`), exact: true})
    .tap()
}

/** Fills and sends the form of the image tool on screen, which a phone has in a sheet; gives the card of its task. */
export async function generateByTouch(page: Page, prompt: string): Promise<Locator> {
  const word = await wordsOf(page)
  await tabsAreBack(page)
  await page
    .getByRole('main')
    .getByRole('button', {name: startOf(word('common.mediaSettings'))})
    .tap()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox').first().fill(prompt)
  await form.getByRole('button', {name: startOf(word('common.mediaGenerate'))}).tap()
  const card = page.getByRole('main').getByRole('article').filter({hasText: prompt})
  const image = card.locator('img').first()
  await made(image)
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.complete && each.naturalWidth > 0)).toBe(true)
  return card
}
