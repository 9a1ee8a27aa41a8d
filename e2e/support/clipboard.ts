import {expect, type Locator, type Page} from '@playwright/test'
import {press} from './press.ts'

/** Reads the clipboard, which the test has allowed the page to read. */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** Returns the text that a button copies: the browser may write it after the press, and keeps the old text before. */
export async function copied(button: Locator): Promise<string> {
  const page = button.page()
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await press(button)
  await expect.poll(() => clipboard(page)).not.toBe('')
  return clipboard(page)
}

/**
 * The same, where the page says for a moment that it has copied: that moment is looked for from before the press on.
 */
export async function copiedAs(button: Locator, sign: Locator): Promise<string> {
  const [text] = await Promise.all([copied(button), sign.waitFor()])
  return text
}

/** Pastes lines with their numbers into the field that has the focus, by the keys, and returns them. */
export async function pasteLines(page: Page, count: number): Promise<string> {
  const lines = Array.from({length: count}, (_, index) => `line ${index}`).join('\n')
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines)
  await page.keyboard.press('ControlOrMeta+V')
  return lines
}
