import type {Page} from '@playwright/test'

/* The questions that wait for their turn, above the message field. */

export const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})
export const item = (page: Page, question: string) => list(page).getByRole('group', {name: question})
export const order = async (page: Page) =>
  (await list(page).getByRole('group').all()).reduce<Promise<(string | null)[]>>(
    async (before, each) => [...(await before), await each.getAttribute('aria-label')],
    Promise.resolve([]),
  )
