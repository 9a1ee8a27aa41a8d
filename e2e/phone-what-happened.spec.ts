import type {Locator, Page, Response} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {storedTasks} from './support/media-page.ts'
import {arabicPhone, askByTouch, expectGoodInBothThemes, generateByTouch} from './support/phone.ts'
import {runSnippet} from './support/run-snippet.ts'
import {wordsOf} from './support/words-of.ts'

/* "What happened" on a phone in Arabic: of an answer, of a refused one and of a task, copied for a report. */

test.use(arabicPhone)

type Word = (id: string) => string
type Kept = Record<string, {credential?: {token?: string}; access?: string} | undefined>

const dialog = (page: Page) => page.getByRole('dialog')
const facts = (page: Page, name: string): Locator =>
  dialog(page)
    .locator('dt')
    .filter({hasText: new RegExp(`^${name}$`)})
    .locator('xpath=following-sibling::dd[1]')
const steps = (page: Page, word: Word) =>
  dialog(page)
    .getByRole('list', {name: word('flow.steps')})
    .getByRole('listitem')
const traceOf = (response: Response) => response.headers()['x-trace-id'] ?? 'none'
/** The answer to the call that asks: the same addresses take commands. */
const isAsked = (path: string, field: 'question' | 'prompt') => (response: Response) =>
  response.url().endsWith(path) && response.request().postData()?.includes(`"${field}":`) === true

const open = async (page: Page, word: Word, message: Locator) => {
  await message.getByRole('button', {name: word('chat.messageActions')}).tap()
  await page.getByRole('menuitem', {name: word('chat.whatHappened')}).tap()
  await expect(dialog(page).getByRole('heading', {name: word('flow.title')})).toBeVisible()
  await expect.poll(() => dialog(page).boundingBox()).toEqual({x: 0, y: 0, width: 390, height: 844})
}
const close = async (page: Page, word: Word) => {
  await dialog(page)
    .getByRole('button', {name: word('common.close')})
    .tap()
  await expect(dialog(page)).toHaveCount(0)
}
const copied = async (page: Page, button: Locator): Promise<string> => {
  await button.tap()
  return page.evaluate(() => navigator.clipboard.readText())
}
const kept = (page: Page): Promise<Kept> =>
  // as: tests/browser asserts the shape of what the app keeps
  page.evaluate(() => JSON.parse(localStorage.getItem('vuex') ?? '{}') as Kept)

/** Neither a token nor a word of the user is in what is shown and copied. */
async function expectNoSecrets(page: Page, text: string, words: readonly string[]) {
  const tokens = JSON.stringify(await kept(page)).match(/(?<="(?:access|refresh|token)":")[^"]{16,}/g) ?? []
  expect(tokens.length).toBeGreaterThan(1)
  for (const secret of [...tokens, ...words]) expect(text).not.toContain(secret)
}

/** The times of the steps are there and go on. */
async function expectTimes(page: Page, word: Word) {
  const times = await steps(page, word).evaluateAll((all) =>
    all.map((step) => step.firstElementChild?.textContent ?? ''),
  )
  expect(times.length).toBeGreaterThan(2)
  for (const time of times) expect(time).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
  expect(times).toEqual([...times].sort())
}

/** Runs what was copied in a shell, as its reader would. */
const runCurl = (text: string, token: string) => runSnippet('curl', `TOKEN=$ATRIUM_API_KEY\n${text}`, token)

test('of an answer, of a refused one and of a task', long, async ({chat: page, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const word = await wordsOf(page)
  const secrets = ['سؤال سري', 'جواب سري']
  modelServer.answer('جواب سري')
  modelServer.nameBy('اسم سري')
  const asking = page.waitForResponse(isAsked('/aichat/conversations', 'question'))
  await askByTouch(page, 'سؤال سري')
  const trace = traceOf(await asking)
  await ended(page)

  const detailing = page.waitForResponse(/\/api\/v1\/answers\//)
  await open(page, word, lastMessage(page))
  // as: the contract tests check this answer
  const {attempts} = (await (await detailing).json()) as {attempts: {cost: string; trace_id: string}[]}
  const cost = String(Number(attempts[0]?.cost))
  await expect(facts(page, 'cost')).toHaveText(cost)
  await expect(facts(page, 'trace_id')).toHaveText(attempts[0]?.trace_id ?? '')
  await expect(facts(page, 'state')).toHaveText('finished')
  for (const state of ['asking.pending', 'asking.answering'])
    await expect(steps(page, word).filter({hasText: state}).first()).toBeVisible()
  await expect(steps(page, word).last()).toContainText('finished')
  await expectTimes(page, word)
  const call = steps(page, word).filter({hasText: 'POST /services/api/aichat/conversations'}).first()
  await expect(call).toContainText(new RegExp(`200 · \\d+ ms · ${trace}`))
  await expectGoodInBothThemes(page, 'flow of an answer')
  const shown = (await dialog(page).textContent()) ?? ''

  const curl = await copied(page, call.getByRole('button', {name: word('flow.copyCurl')}))
  const {chat} = await kept(page)
  expect(await runCurl(curl, chat?.credential?.token ?? '')).toContain('جواب سري')
  expect(modelServer.prompts.at(-1)).toBe('QUESTION')
  const report = await copied(page, dialog(page).getByRole('button', {name: word('flow.copyReport')}))
  expect(JSON.parse(report)).toMatchObject({
    state: 'finished',
    cost,
    steps: expect.arrayContaining([
      expect.objectContaining({state: expect.any(String), at: expect.stringMatching(/^\d{4}-.*Z$/)}),
      expect.objectContaining({status: 200, trace}),
    ]),
  })
  await expectNoSecrets(page, `${shown}${curl}${report}`, secrets)
  await close(page, word)

  modelServer.fail(429, {error: {message: 'slow down'}})
  await askByTouch(page, 'سؤال سري')
  await expect(lastMessage(page).getByRole('alert')).toBeVisible()
  await open(page, word, lastMessage(page))
  await expect(steps(page, word).last()).toContainText('failed.')
  await expect(facts(page, 'state')).toHaveText('failed')
  await expect(facts(page, 'error')).toHaveText('too_many_requests')
  await expectGoodInBothThemes(page, 'flow of a refusal')
  await close(page, word)

  await page.goto(new URL('/flux', page.url()).href)
  const making = page.waitForResponse(isAsked('/flux/images', 'prompt'))
  const card = await generateByTouch(page, 'قارب أحمر')
  const taskTrace = traceOf(await making)
  await card
    .getByRole('button', {name: word('common.mediaMore'), exact: true})
    .first()
    .tap()
  await page.getByRole('menuitem', {name: word('common.copy'), exact: true}).tap()
  await page.getByRole('menuitem', {name: word('common.mediaWhatHappened')}).tap()
  const [task] = (await storedTasks(page, 'flux')).items
  await expect(facts(page, 'task')).toHaveText(task?.id ?? '')
  await expect(facts(page, 'credits_settled')).toHaveText(String(task?.credits.settled))
  await expect(facts(page, 'trace_id')).toHaveText(taskTrace)
  const taskCall = steps(page, word).filter({hasText: 'POST /services/api/flux/images'})
  await expect(taskCall).toContainText(new RegExp(`200 · \\d+ ms · ${taskTrace}`))
  await expectTimes(page, word)
  await expectGoodInBothThemes(page, 'flow of a task')
  const taskShown = (await dialog(page).textContent()) ?? ''
  const taskCurl = await copied(page, taskCall.getByRole('button', {name: word('flow.copyCurl')}))
  const taskReport = await copied(page, dialog(page).getByRole('button', {name: word('flow.copyReport')}))
  expect(JSON.parse(taskReport)).toMatchObject({task: task?.id, trace_id: taskTrace, steps: expect.any(Array)})
  await expectNoSecrets(page, `${taskShown}${taskCurl}${taskReport}`, [])
  expect(`${taskShown}${taskReport}`).not.toContain('قارب')
  const {flux} = await kept(page)
  expect(taskCurl).toContain('قارب أحمر')
  expect(await runCurl(taskCurl, flux?.credential?.token ?? '')).toContain('"task_id":')
  await expect
    .poll(async () => (await storedTasks(page, 'flux')).items.map(({request}) => request.prompt))
    .toEqual(['قارب أحمر', 'قارب أحمر'])
  await close(page, word)
})
