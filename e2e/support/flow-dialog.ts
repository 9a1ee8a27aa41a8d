import {expect, type Locator, type Page, type Response} from '@playwright/test'
import {copied} from './clipboard.ts'
import {storedTasks} from './media-page.ts'
import {expectGoodInBothThemes} from './phone.ts'
import {press} from './press.ts'
import {runSnippet} from './run-snippet.ts'
import {wordsOf} from './words-of.ts'

/* The dialog "What happened", whatever the language and the width. */

type Kept = Record<string, {credential?: {token?: string}; access?: string} | undefined>

export const flowDialog = (page: Page): Locator => page.getByRole('dialog')
export const facts = (page: Page, name: string): Locator =>
  flowDialog(page)
    .locator('dt')
    .filter({hasText: new RegExp(`^${name}$`)})
    .locator('xpath=following-sibling::dd[1]')
export async function flowSteps(page: Page): Promise<Locator> {
  const word = await wordsOf(page)
  return flowDialog(page)
    .getByRole('list', {name: word('flow.steps')})
    .getByRole('listitem')
}
export const traceOf = (response: Response): string => response.headers()['x-trace-id'] ?? 'none'
/** The answer to the call that asks: the same addresses take commands. */
export const isAsked = (path: string, field: 'question' | 'prompt') => (response: Response) =>
  response.url().endsWith(path) && response.request().postData()?.includes(`"${field}":`) === true

export async function closeFlow(page: Page): Promise<void> {
  const word = await wordsOf(page)
  await press(flowDialog(page).getByRole('button', {name: word('common.close')}))
  await expect(flowDialog(page)).toHaveCount(0)
}
export const keptCredentials = (page: Page): Promise<Kept> =>
  // as: tests/browser asserts the shape of what the app keeps
  page.evaluate(() => JSON.parse(localStorage.getItem('vuex') ?? '{}') as Kept)

/** Neither a token nor a word of the user is in what is shown and copied. */
export async function expectNoSecrets(page: Page, text: string, words: readonly string[]): Promise<void> {
  const tokens = JSON.stringify(await keptCredentials(page)).match(/(?<="(?:access|refresh|token)":")[^"]{16,}/g) ?? []
  expect(tokens.length).toBeGreaterThan(1)
  for (const secret of [...tokens, ...words]) expect(text).not.toContain(secret)
}

/** The times of the steps are there and go on. */
export async function expectTimes(page: Page): Promise<void> {
  const times = await (
    await flowSteps(page)
  ).evaluateAll((all) => all.map((step) => step.firstElementChild?.textContent ?? ''))
  expect(times.length).toBeGreaterThan(2)
  for (const time of times) expect(time).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
  expect(times).toEqual([...times].sort())
}

/** Runs what was copied in a shell, as its reader would. */
export const runCurl = (text: string, token: string): Promise<string> =>
  runSnippet('curl', `TOKEN=$ATRIUM_API_KEY\n${text}`, token)

/**
 * The menu of the card leads to what happened to the only task of Flux, which is copied for a report and runs again by
 * its cURL.
 */
export async function reportTask(page: Page, card: Locator, prompt: string, trace: string): Promise<void> {
  const word = await wordsOf(page)
  await press(card.getByRole('button', {name: word('common.mediaMore'), exact: true}).first())
  await press(page.getByRole('menuitem', {name: word('common.mediaWhatHappened')}))
  const [task] = (await storedTasks(page, 'flux')).items
  await expect(facts(page, 'task')).toHaveText(task?.id ?? '')
  await expect(facts(page, 'credits_settled')).toHaveText(String(task?.credits.settled))
  await expect(facts(page, 'trace_id')).toHaveText(trace)
  const call = (await flowSteps(page)).filter({hasText: 'POST /services/api/flux/images'})
  await expect(call).toContainText(new RegExp(`200 · \\d+ ms · ${trace}`))
  await expectTimes(page)
  await expectGoodInBothThemes(page, 'flow of a task')
  const shown = (await flowDialog(page).textContent()) ?? ''
  const curl = await copied(call.getByRole('button', {name: word('flow.copyCurl')}))
  const report = await copied(flowDialog(page).getByRole('button', {name: word('flow.copyReport')}))
  expect(JSON.parse(report)).toMatchObject({task: task?.id, trace_id: trace, steps: expect.any(Array)})
  await expectNoSecrets(page, `${shown}${curl}${report}`, [])
  expect(`${shown}${report}`).not.toContain(prompt)
  const {flux} = await keptCredentials(page)
  expect(curl).toContain(prompt)
  expect(await runCurl(curl, flux?.credential?.token ?? '')).toContain('"task_id":')
  const read = (await flowSteps(page)).filter({hasText: 'POST /services/api/flux/tasks retrieve_batch'}).first()
  const readCurl = await copied(read.getByRole('button', {name: word('flow.copyCurl')}))
  expect(await runCurl(readCurl, flux?.credential?.token ?? '')).toContain(`"id":"${task?.id}"`)
  await expect
    .poll(async () => (await storedTasks(page, 'flux')).items.map((each) => each.request.prompt))
    .toEqual([prompt, prompt])
  await closeFlow(page)
}
