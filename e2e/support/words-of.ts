import type {Page} from '@playwright/test'
import {readLocale} from '#tools/locales.mjs'

/** The words of the language that the page speaks. */
export async function wordsOf(page: Page): Promise<(id: string) => string> {
  const language = (await page.locator('html').getAttribute('lang')) ?? ''
  const words: Record<string, string> = readLocale(language)
  return (id) => {
    const message = words[id]
    if (message === undefined) throw new Error(`${language} has no message ${id}`)
    return message
  }
}
