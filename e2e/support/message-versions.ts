import type {Locator, Page} from '@playwright/test'
import {answers, ask, expect} from '../fixtures.ts'
import {ended, lastMessage} from './chat-page.ts'

/** Leads from version to version of a message. */
export const pager = (message: Locator) => message.getByRole('group', {name: 'Versions'})
export const texts = (page: Page) => answers(page).getByRole('paragraph')

/** The words of all messages on the page. */
export const expectMessages = async (page: Page, ...words: string[]) => {
  await expect(answers(page)).toHaveCount(words.length)
  for (const [index, word] of words.entries()) await expect(answers(page).nth(index)).toContainText(word)
}

export async function edit(message: Locator, text: string, button: 'Save' | 'Save & ask again'): Promise<void> {
  await message.hover()
  await message.getByRole('button', {name: 'Edit'}).click()
  await message.getByRole('textbox', {name: 'Edit message'}).fill(text)
  await message.getByRole('button', {name: button, exact: true}).click()
}

/** Asks, and waits for the whole answer of the model server. */
export async function askAndRead(page: Page, question: string): Promise<void> {
  await ask(page, question)
  await expect(lastMessage(page)).toContainText(`said: ${question}`)
  await ended(page)
}

/** Two versions of an answer; the second is shown. */
export async function answerTwice(
  page: Page,
  modelServer: {answer: (text: string) => void},
  [first, second]: readonly [string, string],
): Promise<void> {
  modelServer.answer(first)
  await ask(page, 'Which animal?')
  await ended(page)
  modelServer.answer(second)
  await lastMessage(page).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expect(pager(lastMessage(page))).toContainText('2 / 2')
  await ended(page)
}
