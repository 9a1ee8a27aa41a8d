import type {Locator, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {reportAnswer, reportRefusal, watchAnswer} from './support/flow-answers.ts'
import {flowDialog as dialog, isAsked, reportTask, traceOf} from './support/flow-dialog.ts'
import {long} from './support/full-run.ts'
import type {ModelServer} from './support/model-server.ts'
import {anyPhone, askByTouch, generateByTouch} from './support/phone.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * "What happened" on a phone in Arabic and in English: of an answer, of a refused one and of a task, copied for a
 * report.
 */

test.use(anyPhone)

/** The chat of the page, whose dialogs fill its screen. */
async function conversationOn(page: Page, modelServer: ModelServer) {
  const word = await wordsOf(page)
  const open = async (message: Locator) => {
    await message.getByRole('button', {name: word('chat.messageActions')}).tap()
    await page.getByRole('menuitem', {name: word('chat.whatHappened')}).tap()
    await expect(dialog(page).getByRole('heading', {name: word('flow.title')})).toBeVisible()
    await expect.poll(() => dialog(page).boundingBox()).toEqual({x: 0, y: 0, width: 390, height: 844})
  }
  return {page, modelServer, open, ask: (question: string) => askByTouch(page, question)}
}

test('of an answer', async ({chat: page, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await reportAnswer(await conversationOn(page, modelServer))
})

test('of a refused answer and of a task', long, async ({chat: page, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await reportRefusal(await conversationOn(page, modelServer))

  await page.goto(new URL('/flux', page.url()).href)
  const making = page.waitForResponse(isAsked('/flux/images', 'prompt'))
  const card = await generateByTouch(page, 'قارب أحمر')
  await reportTask(page, card, 'قارب أحمر', traceOf(await making))
})

test('of an answer that is being written', long, async ({chat: page, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const word = await wordsOf(page)
  const conversation = await conversationOn(page, modelServer)
  const openRunning = async () => {
    await page.getByRole('button', {name: word('chat.threadMenu'), exact: true}).tap()
    await page.getByRole('menuitem', {name: word('chat.whatHappened')}).tap()
    await expect(dialog(page).getByRole('heading', {name: word('flow.title')})).toBeVisible()
  }
  await watchAnswer({...conversation, openRunning})
})
