import {expect, type Locator, type Page} from '@playwright/test'
import {made} from './media-page.ts'
import {startOf} from './phone.ts'
import {wordsOf} from './words-of.ts'

/* Steps of desktop journeys in any language. */

/** Opens the settings from the account menu. */
export async function openSettings(page: Page): Promise<void> {
  const word = await wordsOf(page)
  await page.getByRole('button', {name: word('index.account'), exact: true}).click()
  await page.getByRole('menuitem', {name: word('index.settings'), exact: true}).click()
  await expect(page.getByRole('dialog', {name: word('index.settings')})).toBeVisible()
}

/** Makes an image with Flux; gives its card, with the image shown and its menu in reach. */
export async function makeImage(page: Page, prompt: string): Promise<Locator> {
  await page.goto(new URL('/flux', page.url()).href)
  const word = await wordsOf(page)
  const form = page.getByRole('form', {name: word('common.mediaSettings')})
  await form.getByRole('textbox', {name: word('common.mediaPrompt')}).fill(prompt)
  await form.getByRole('button', {name: startOf(word('common.mediaGenerate'))}).click()
  const card = page.getByRole('main').getByRole('article').filter({hasText: prompt})
  const image = card.locator('img').first()
  await made(image)
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.complete && each.naturalWidth > 0)).toBe(true)
  await card.hover()
  return card
}
