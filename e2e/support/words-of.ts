import {createIntl} from '@formatjs/intl'
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

/** The same, each with its values filled in. */
export async function messagesOf(
  page: Page,
): Promise<(id: string, values?: Record<string, string | number>) => string> {
  const language = (await page.locator('html').getAttribute('lang')) ?? ''
  const word = await wordsOf(page)
  const messages = readLocale(language)
  const intl = createIntl({locale: `${language}-u-nu-latn`, messages})
  return (id, values) => (values === undefined ? word(id) : intl.formatMessage({id}, values))
}
