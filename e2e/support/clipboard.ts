import {expect, type Locator, type Page} from '@playwright/test'
import {press} from './press.ts'

/** What is on the clipboard, which the test has allowed the page to read. */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** What a button puts on the clipboard: the browser may write it after the press, and keeps what was there before. */
export async function copied(button: Locator): Promise<string> {
  const page = button.page()
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await press(button)
  await expect.poll(() => clipboard(page)).not.toBe('')
  return clipboard(page)
}

/** The same, where the page says for a moment that it has copied: that moment is looked for from before the press on. */
export async function copiedAs(button: Locator, sign: Locator): Promise<string> {
  const [text] = await Promise.all([copied(button), sign.waitFor()])
  return text
}
