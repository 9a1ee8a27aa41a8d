import {expect, type Page} from '@playwright/test'
import {startOf} from './phone.ts'
import {wordsOf} from './words-of.ts'

/** Types in the palette and runs what comes first, which has to be `first`. */
export type PaletteRun = (words: string, first: string | RegExp) => Promise<void>

/** The palette leads to a task of Flux by some letters of its prompt, and to a model by its name. */
export async function goToTaskAndModel(page: Page, run: PaletteRun, letters: string, prompt: string): Promise<void> {
  const word = await wordsOf(page)
  await run(letters, prompt)
  await expect(page).toHaveURL(/\/flux#/)
  await run('gpt-4o', /^GPT-4o/)
  await expect(page.getByRole('button', {name: startOf(word('chat.chooseModel'))})).toHaveText(/^GPT-4o/)
}
