import {expect, type Locator, type Page} from '@playwright/test'
import {ended, lastMessage} from './chat-page.ts'
import {copied} from './clipboard.ts'
import {
  closeFlow,
  expectNoSecrets,
  expectTimes,
  facts,
  flowDialog as dialog,
  flowSteps,
  isAsked,
  keptCredentials,
  runCurl,
  traceOf,
} from './flow-dialog.ts'
import type {ModelServer} from './model-server.ts'
import {expectGoodInBothThemes} from './phone.ts'
import {wordsOf} from './words-of.ts'

/* "What happened" of an answer and of a refused one, whatever the language and the width. */

type Conversation = {
  page: Page
  modelServer: ModelServer
  ask: (question: string) => Promise<void>
  /** Opens what happened to a message. */
  open: (message: Locator) => Promise<void>
}

const secrets = ['سؤال سري', 'جواب سري'] as const
const [question, answer] = secrets

/** The states, calls, times and costs of an answer are told and copied, without a word of the user. */
export async function reportAnswer({page, modelServer, ask, open}: Conversation): Promise<void> {
  const word = await wordsOf(page)
  const steps = await flowSteps(page)
  modelServer.answer(answer)
  modelServer.nameBy('اسم سري')
  const asking = page.waitForResponse(isAsked('/aichat/conversations', 'question'))
  await ask(question)
  const trace = traceOf(await asking)
  await ended(page)

  const detailing = page.waitForResponse(/\/api\/v1\/answers\//)
  await open(lastMessage(page))
  // as: the contract tests check this answer
  const {attempts} = (await (await detailing).json()) as {attempts: {cost: string; trace_id: string}[]}
  const cost = String(Number(attempts[0]?.cost))
  await expect(facts(page, 'cost')).toHaveText(cost)
  await expect(facts(page, 'trace_id')).toHaveText(attempts[0]?.trace_id ?? '')
  await expect(facts(page, 'state')).toHaveText('finished')
  for (const state of ['asking.pending', 'asking.answering'])
    await expect(steps.filter({hasText: state}).first()).toBeVisible()
  await expect(steps.last()).toContainText('finished')
  await expectTimes(page)
  const call = steps.filter({hasText: 'POST /services/api/aichat/conversations'}).first()
  await expect(call).toContainText(new RegExp(`200 · \\d+ ms · ${trace}`))
  await expectGoodInBothThemes(page, 'flow of an answer')
  const shown = (await dialog(page).textContent()) ?? ''

  const curl = await copied(call.getByRole('button', {name: word('flow.copyCurl')}))
  const {chat} = await keptCredentials(page)
  expect(await runCurl(curl, chat?.credential?.token ?? '')).toContain(answer)
  expect(modelServer.prompts.at(-1)).toBe('QUESTION')
  const report = await copied(dialog(page).getByRole('button', {name: word('flow.copyReport')}))
  expect(JSON.parse(report)).toMatchObject({
    state: 'finished',
    cost,
    steps: expect.arrayContaining([
      expect.objectContaining({state: expect.any(String), at: expect.stringMatching(/^\d{4}-.*Z$/)}),
      expect.objectContaining({status: 200, trace}),
    ]),
  })
  await expectNoSecrets(page, `${shown}${curl}${report}`, [...secrets, 'اسم سري'])
  await closeFlow(page)
}

/** A refusal is told with its error, also on the page that is loaded after it. */
export async function reportRefusal({page, modelServer, ask, open}: Conversation): Promise<void> {
  const word = await wordsOf(page)
  const steps = await flowSteps(page)
  modelServer.fail(429, {error: {message: 'slow down'}})
  await ask(question)
  await expect(lastMessage(page).getByRole('alert')).toBeVisible()
  await open(lastMessage(page))
  await expect(steps.last()).toContainText('failed.')
  await expect(facts(page, 'state')).toHaveText('failed')
  await expect(facts(page, 'error')).toHaveText('too_many_requests')
  await expectGoodInBothThemes(page, 'flow of a refusal')
  await closeFlow(page)
  await page.reload()
  await open(lastMessage(page))
  await expect(steps.filter({hasText: 'failed.refused'})).toBeVisible()
  await expect(steps.last()).toContainText(word('flow.loaded'))
  await expectGoodInBothThemes(page, 'flow of a refusal on the page before')
  await closeFlow(page)
}

type RunningConversation = Pick<Conversation, 'page' | 'modelServer' | 'ask'> & {
  /** Opens what happens to the answer that is being written. */
  openRunning: () => Promise<void>
}

/** The dialog of an answer that is being written grows with it, to its end, and can be copied at any time. */
export async function watchAnswer({page, modelServer, ask, openRunning}: RunningConversation): Promise<void> {
  const word = await wordsOf(page)
  const steps = await flowSteps(page)
  const message = lastMessage(page)
  modelServer.answer('سر واحد وسر ثان وسر ثالث')
  modelServer.hold(0, 2)
  await ask('سؤال سري')
  await expect.poll(() => modelServer.heldAnswers).toBe(1)
  await openRunning()
  await expect(facts(page, 'state')).toHaveText('pending')
  await expect(steps.last()).toContainText(/asking\.pending|POST/)
  const before = await steps.count()
  modelServer.proceed()
  await expect(facts(page, 'state')).toHaveText('answering')
  const received = Number(await facts(page, 'received_characters').textContent())
  expect(received).toBeGreaterThan(0)
  await expect(steps.filter({hasText: 'asking.answering'})).toBeVisible()
  expect(await steps.count()).toBeGreaterThan(before)
  await expectGoodInBothThemes(page, 'flow of a running answer')
  const report = await copied(dialog(page).getByRole('button', {name: word('flow.copyReport')}))
  expect(JSON.parse(report)).toMatchObject({state: 'answering', received_characters: String(received)})
  expect(report).not.toContain('سر')

  modelServer.release()
  await expect(facts(page, 'state')).toHaveText('finished')
  await expect(steps.filter({hasText: 'finished'}).first()).toBeVisible()
  // the server's facts are read as it ends
  await expect(facts(page, 'cost')).toBeVisible()
  await expect(facts(page, 'received_characters')).toHaveCount(0)
  await expectTimes(page)
  await closeFlow(page)
  // the menu of the answer has it now
  await page.getByRole('button', {name: word('chat.threadMenu'), exact: true}).press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await expect(page.getByRole('menuitem', {name: word('chat.whatHappened')})).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(message.getByRole('button', {name: word('chat.messageActions')})).toBeVisible()
}
