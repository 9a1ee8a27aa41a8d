import {expect, type Page} from '@playwright/test'
import {ask, conversationId, lastMessage} from './chat-page.ts'
import type {ModelServer} from './model-server.ts'

/* The questions that wait for their turn, above the message field. */

export const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})
export const item = (page: Page, question: string) => list(page).getByRole('group', {name: question})
export const order = (page: Page): Promise<(string | null)[]> =>
  list(page)
    .getByRole('group')
    .evaluateAll((rows) => rows.map((each) => each.getAttribute('aria-label')))

/** Asks a question whose answer is held, and others that wait for it, in a conversation that the server has named. */
export async function askWhileHeld(page: Page, modelServer: ModelServer, ...questions: string[]): Promise<void> {
  modelServer.answer((prompt) => `${prompt} answered`)
  modelServer.hold(1)
  await ask(page, 'First')
  await expect(lastMessage(page)).toContainText('First')
  await conversationId(page)
  for (const question of questions) await ask(page, question)
}
