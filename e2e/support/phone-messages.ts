import {expect, type Locator, type Page} from '@playwright/test'
import {axeFaults} from './axe.ts'
import {answers, ended, lastMessage} from './chat-page.ts'
import {askByTouch} from './phone.ts'
import {wordsOf} from './words-of.ts'

/** The messages of a phone in the language that its page speaks. */
export async function messagesByTouch(page: Page) {
  const word = await wordsOf(page)
  const button = (of: Locator | Page, id: string) => of.getByRole('button', {name: word(id), exact: true})
  const openMenu = async (message: Locator) => {
    await button(message, 'chat.messageActions').tap()
    await expect(page.getByRole('menuitem').first()).toBeVisible()
  }
  return {
    word,
    button,
    openMenu,
    /** Chooses from the menu of a message. */
    choose: async (message: Locator, id: string) => {
      await openMenu(message)
      await page.getByRole('menuitem', {name: word(id), exact: true}).tap()
      // while it fades out, its entries stand beside those of the next menu
      await expect(page.getByRole('menu')).toHaveCount(0)
    },
    pager: (message: Locator) => message.getByRole('group', {name: word('chat.versions')}),
    /** Asks, and waits for the whole answer. */
    askAndRead: async (question: string, answer: string) => {
      await askByTouch(page, question)
      await expect(lastMessage(page)).toContainText(answer)
      await ended(page)
    },
  }
}

/**
 * Every entry of the open menu is as large as a finger; axe finds nothing in it in either theme. The page behind it is
 * hidden from readers.
 */
export async function expectEntriesForFingers(page: Page, count: number): Promise<void> {
  await expect(page.getByRole('menuitem')).toHaveCount(count)
  const heights = await page
    .getByRole('menuitem')
    .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({colorScheme: theme})
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    expect.soft(await axeFaults(page, '[role=menu] > *'), `menu, ${theme}: axe`).toEqual([])
  }
}

/** The words of all messages on the page. */
export async function expectTexts(page: Page, ...texts: string[]): Promise<void> {
  await expect(answers(page)).toHaveCount(texts.length)
  for (const [index, text] of texts.entries()) await expect(answers(page).nth(index)).toContainText(text)
}
