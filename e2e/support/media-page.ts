import type {Locator, Page} from '@playwright/test'

export const feed = (page: Page): Locator => page.getByRole('main').getByRole('feed')
/** The cards of the tool on screen, newest first. */
export const cards = (page: Page): Locator => feed(page).getByRole('article')
export const settings = (page: Page): Locator => page.getByRole('form', {name: 'Settings'})
export const generateButton = (page: Page): Locator =>
  settings(page).getByRole('button', {name: /^(Generate|Create)\b/})
/** The button of the list of tasks; its name says how many run. */
export const tasksButton = (page: Page): Locator => page.getByRole('button', {name: /^Tasks\b/})
/** Opens the list of tasks; gives its lines, those of every tool and chat. */
export async function openTray(page: Page): Promise<Locator> {
  await tasksButton(page).click()
  const lines = page.getByRole('dialog', {name: 'Tasks'}).getByRole('listitem')
  await lines.first().waitFor()
  return lines
}
/** The main field of any tool's form: its prompt, or the description of the song. */
export const promptField = (page: Page): Locator => settings(page).getByRole('textbox', {name: /^(Prompt|Song desc)/})

/** Opens a tool by its address and waits until its form is there. */
export async function openTool(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  await generateButton(page).waitFor()
}

/** Sends the form of the tool on screen with this prompt, and waits until its card is there. */
export async function generate(page: Page, prompt: string): Promise<void> {
  await promptField(page).fill(prompt)
  await generateButton(page).click()
  await page.getByRole('main').getByRole('article').filter({hasText: prompt}).waitFor()
}

/**
 * Waits for what the sandbox makes. It works below every other process (`src/sandbox/media/media-worker.ts`): on a busy
 * machine it takes as long as the test may.
 */
export const made = (result: Locator): Promise<void> => result.waitFor({state: 'attached'})

type Kept = {user: {id: string}; token: {access: string}} & Record<string, {credential?: {token?: string}}>
export type ServerTask = {
  id: string
  request: {prompt?: string}
  response?: {success?: boolean; outcome?: string}
  credits: {held: number; settled?: number}
}

/** The tasks of a service as the server keeps them, asked by the page with the tool's own credential. */
export const storedTasks = (page: Page, tool: string): Promise<{count: number; items: ServerTask[]}> =>
  page.evaluate(async (name) => {
    // as: the shape of what the app keeps is asserted by tests/browser
    const state = JSON.parse(localStorage.getItem('vuex') ?? '{}') as Kept
    const response = await fetch(`/services/api/${name}/tasks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${state[name]?.credential?.token}`,
        'content-type': 'application/json',
        'x-record-exempt': 'true',
      },
      body: JSON.stringify({action: 'retrieve_batch', user_id: state.user.id}),
    })
    if (!response.ok) throw new Error(`The tasks of ${name} were refused with ${response.status}`)
    // as: the contract tests check this answer
    return (await response.json()) as {count: number; items: ServerTask[]}
  }, tool)

/** Credits that all applications of the user have spent, and what is held for what still runs, as the server says. */
export const spentCredits = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    // as: see above
    const state = JSON.parse(localStorage.getItem('vuex') ?? '{}') as Kept
    const response = await fetch('/services/platform/api/v1/applications/?limit=100', {
      headers: {authorization: `Bearer ${state.token.access}`},
    })
    if (!response.ok) throw new Error(`The applications were refused with ${response.status}`)
    // as: see above
    const {items} = (await response.json()) as {items: {used_amount: number}[]}
    return items.reduce((sum, {used_amount}) => sum + used_amount, 0)
  })
