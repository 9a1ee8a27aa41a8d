import {expect, type Locator, type Page} from '@playwright/test'
import {expectGoodInBothThemes} from './phone.ts'
import {press} from './press.ts'
import {wordsOf} from './words-of.ts'

/* The dialog of settings, whatever the language and the width. */

const dialog = (page: Page): Locator => page.getByRole('dialog')

/** Chooses a tab by the id of its message; it is good in both themes. */
export async function chooseTab(page: Page, id: string): Promise<void> {
  const word = await wordsOf(page)
  await press(dialog(page).getByRole('tab', {name: word(id), exact: true}))
  await expect(dialog(page).getByRole('tab', {name: word(id), selected: true})).toBeInViewport({ratio: 0.95})
  await expectGoodInBothThemes(page, `settings ${id}`)
}

/** Turns notifications on, which are off. */
export async function turnOnNotices(page: Page): Promise<void> {
  const word = await wordsOf(page)
  const notify = dialog(page).getByRole('switch', {name: word('index.settingNotify')})
  await expect(notify).not.toBeChecked()
  await press(notify)
  await expect(notify).toBeChecked()
}

/** Chooses what sends a message: Enter alone, or with Ctrl or ⌘. */
export async function chooseSendKey(page: Page, key: 'enter' | 'with ctrl'): Promise<void> {
  const name = key === 'enter' ? /^Enter$/ : /\+ Enter$/
  await press(dialog(page).getByRole('radio', {name}))
  await expect(dialog(page).getByRole('radio', {name})).toBeChecked()
}

/** Searches and chooses a language in its tab; the dialog goes on in it. */
export async function chooseLanguage(page: Page, search: string, name: string, language: string): Promise<void> {
  const word = await wordsOf(page)
  await dialog(page)
    .getByRole('searchbox', {name: word('index.languageSearch')})
    .fill(search)
  await press(dialog(page).getByRole('button', {name}))
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  const chosen = await wordsOf(page)
  await expect(page.getByRole('dialog', {name: chosen('index.settings')})).toBeVisible()
}
