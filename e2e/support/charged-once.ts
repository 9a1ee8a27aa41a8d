import {expect, type Page} from '@playwright/test'
import {cards, spentCredits, storedTasks, type ServerTask} from './media-page.ts'

let count = 0
/** A prompt that no other task of the account has. */
export const newPrompt = (words: string) => `${words} no. ${(count += 1)}.`

export const card = (page: Page, prompt: string) => cards(page).filter({has: page.getByText(prompt, {exact: true})})
export const image = (page: Page, prompt: string) => card(page, prompt).getByRole('img', {name: `Result of: ${prompt}`})

export const tasksOf = async (page: Page, tool: string, prompt: string): Promise<ServerTask[]> =>
  (await storedTasks(page, tool)).items.filter(({request}) => request.prompt === prompt)

/** The server has one task of this prompt, charged at its whole price, and nothing else was charged since `before`. */
export async function expectOnce(page: Page, before: number, prompts: Record<string, string>): Promise<void> {
  let price = 0
  for (const [tool, prompt] of Object.entries(prompts)) {
    const tasks = await tasksOf(page, tool, prompt)
    expect(tasks).toHaveLength(1)
    expect(tasks[0]).toMatchObject({response: {success: true}})
    expect(tasks[0]?.credits.held).toBeGreaterThan(0)
    expect(tasks[0]?.credits.settled).toBe(tasks[0]?.credits.held)
    price += tasks[0]?.credits.held ?? 0
  }
  expect((await spentCredits(page)) - before).toBeCloseTo(price, 6)
}
