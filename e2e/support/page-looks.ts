import {expect, type Page} from '@playwright/test'
import {axeFaults} from './axe.ts'
import {isFull} from './full-run.ts'

type Look = {theme: 'dark' | 'light'; locale: 'en' | 'ar'; width: number; height: number}

/** The look of a journey itself. */
const usual: Look = {theme: 'light', locale: 'en', width: 1440, height: 900}
/**
 * How a page is looked at: each theme, a narrow screen, and writing from right to left. The usual look comes last, and
 * stays.
 */
const looks: readonly Look[] = [
  {theme: 'dark', locale: 'en', width: 1440, height: 900},
  {theme: 'light', locale: 'en', width: 390, height: 844},
  {theme: 'dark', locale: 'ar', width: 390, height: 844},
  {theme: 'light', locale: 'ar', width: 1440, height: 900},
  usual,
]
/** Both themes, widths and directions once: `npm test` has no others. */
export const fewLooks: readonly Look[] = [{theme: 'dark', locale: 'ar', width: 390, height: 844}, usual]

type Choice = {theme: Look['theme']; locale: string}

const choose = (page: Page, {theme, locale}: Choice) =>
  page.context().addCookies(
    Object.entries({THEME: theme, LOCALE: locale}).map(([name, value]) => ({
      name,
      value,
      url: new URL(page.url()).origin,
    })),
  )

/** Opens the page again in a theme and a language. */
export async function reopenIn(page: Page, choice: Choice): Promise<void> {
  await choose(page, choice)
  await page.reload()
  await page.locator('h1').waitFor()
}

/** Opens a path in a theme and a language, in a tab in which nothing of the app is loaded yet (`tab`). */
export async function openIn(page: Page, path: string, choice: Choice): Promise<void> {
  await choose(page, choice)
  await page.goto(new URL(path, page.url()).href)
  await page.locator('h1').waitFor()
}

/**
 * Opens the page in each look (in the full run, else in a few): no fault that axe finds, nothing wider than the screen,
 * no message left out. `ready` resolves when the content is there; it knows no language.
 */
export async function expectGoodLooks(
  page: Page,
  ready: () => Promise<void>,
  shown = isFull ? looks : fewLooks,
): Promise<void> {
  const before = page.viewportSize()
  for (const {theme, locale, width, height} of shown) {
    await page.setViewportSize({width, height})
    await reopenIn(page, {theme, locale})
    await ready()
    const html = page.locator('html')
    await expect(html).toHaveAttribute('data-theme', theme)
    await expect(html).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr')
    const look = `${theme} ${locale} ${width}`
    const overflow = await html.evaluate((root) => root.scrollWidth - root.clientWidth)
    expect.soft(overflow, `${look}: wider than the screen`).toBe(0)
    expect.soft(await axeFaults(page), `${look}: axe`).toEqual([])
  }
  if (shown.at(-1) === usual && before?.width === usual.width) return
  if (before) await page.setViewportSize(before)
  await reopenIn(page, usual)
}
