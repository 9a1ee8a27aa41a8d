import type {Page} from '@playwright/test'
import {expect} from '../fixtures.ts'
import {ask, lastMessage, thread} from './chat-page.ts'

export const lines = (count: number, name = 'line') =>
  Array.from({length: count}, (_, index) => `${name} ${index}`).join('\n\n')

/** Distance of the view from the end of the thread. */
export const distance = (page: Page) =>
  thread(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)

export const top = (page: Page) => thread(page).evaluate((element) => element.scrollTop)

/** An answer of 80 paragraphs that stands still after 40, with the view at its end. */
export async function halfWay(
  page: Page,
  modelServer: {answer: (text: string) => void; hold: (words: number) => void},
) {
  modelServer.answer(lines(80))
  modelServer.hold(80)
  await ask(page, 'Long?')
  await expect(lastMessage(page)).toContainText('line 39')
  await expect.poll(() => distance(page)).toBeLessThan(2)
}
