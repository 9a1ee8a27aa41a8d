import type {Locator, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {copied} from './support/clipboard.ts'
import {
  closeFlow,
  expectNoSecrets,
  expectTimes,
  facts,
  flowDialog as dialog,
  flowSteps,
  isAsked,
  keptCredentials,
  reportTask,
  runCurl,
  traceOf,
} from './support/flow-dialog.ts'
import {long} from './support/full-run.ts'
import {anyPhone, askByTouch, expectGoodInBothThemes, generateByTouch} from './support/phone.ts'
import {wordsOf} from './support/words-of.ts'

/* "What happened" on a phone in Arabic and in English: of an answer, of a refused one and of a task, copied for a report. */

test.use(anyPhone)

type Word = (id: string) => string

const open = async (page: Page, word: Word, message: Locator) => {
  await message.getByRole('button', {name: word('chat.messageActions')}).tap()
  await page.getByRole('menuitem', {name: word('chat.whatHappened')}).tap()
  await expect(dialog(page).getByRole('heading', {name: word('flow.title')})).toBeVisible()
  await expect.poll(() => dialog(page).boundingBox()).toEqual({x: 0, y: 0, width: 390, height: 844})
}

test('of an answer, of a refused one and of a task', long, async ({chat: page, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const word = await wordsOf(page)
  const steps = await flowSteps(page)
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
    await expect(steps.filter({hasText: state}).first()).toBeVisible()
  await expect(steps.last()).toContainText('finished')
  await expectTimes(page)
  const call = steps.filter({hasText: 'POST /services/api/aichat/conversations'}).first()
  await expect(call).toContainText(new RegExp(`200 · \\d+ ms · ${trace}`))
  await expectGoodInBothThemes(page, 'flow of an answer')
  const shown = (await dialog(page).textContent()) ?? ''

  const curl = await copied(call.getByRole('button', {name: word('flow.copyCurl')}))
  const {chat} = await keptCredentials(page)
  expect(await runCurl(curl, chat?.credential?.token ?? '')).toContain('جواب سري')
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
  await expectNoSecrets(page, `${shown}${curl}${report}`, secrets)
  await closeFlow(page)

  modelServer.fail(429, {error: {message: 'slow down'}})
  await askByTouch(page, 'سؤال سري')
  await expect(lastMessage(page).getByRole('alert')).toBeVisible()
  await open(page, word, lastMessage(page))
  await expect(steps.last()).toContainText('failed.')
  await expect(facts(page, 'state')).toHaveText('failed')
  await expect(facts(page, 'error')).toHaveText('too_many_requests')
  await expectGoodInBothThemes(page, 'flow of a refusal')
  await closeFlow(page)
  await page.reload()
  await open(page, word, lastMessage(page))
  await expect(steps.filter({hasText: 'failed.refused'})).toBeVisible()
  await expect(steps.last()).toContainText(word('flow.loaded'))
  await expectGoodInBothThemes(page, 'flow of a refusal on the page before')
  await closeFlow(page)

  await page.goto(new URL('/flux', page.url()).href)
  const making = page.waitForResponse(isAsked('/flux/images', 'prompt'))
  const card = await generateByTouch(page, 'قارب أحمر')
  await reportTask(page, card, 'قارب أحمر', traceOf(await making))
})
