import type {Locator} from '@playwright/test'
import {ask, expect, test} from './fixtures.ts'
import {makeImage} from './support/desktop-pages.ts'
import {anyDesktop} from './support/desktop.ts'
import {reportAnswer, reportRefusal, watchAnswer} from './support/flow-answers.ts'
import {flowDialog as dialog, isAsked, reportTask, traceOf} from './support/flow-dialog.ts'
import {long} from './support/full-run.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * "What happened" on a desktop in English and in Arabic: of an answer, of a refused one and of a task, copied for a
 * report.
 */

test.use(anyDesktop)

test('of an answer, of a refused one and of a task', long, async ({chat: page, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const word = await wordsOf(page)
  const open = async (message: Locator) => {
    await message.hover()
    await message.getByRole('button', {name: word('chat.messageActions')}).press('Enter')
    await page.getByRole('menuitem', {name: word('chat.whatHappened')}).press('Enter')
    await expect(dialog(page).getByRole('heading', {name: word('flow.title')})).toBeVisible()
  }
  const conversation = {page, modelServer, open, ask: (question: string) => ask(page, question)}
  await reportAnswer(conversation)
  await reportRefusal(conversation)

  const making = page.waitForResponse(isAsked('/flux/images', 'prompt'))
  const card = await makeImage(page, 'قارب أحمر')
  await reportTask(page, card, 'قارب أحمر', traceOf(await making))
})

test('of an answer that is being written', async ({chat: page, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const word = await wordsOf(page)
  const openRunning = async () => {
    await page.getByRole('button', {name: word('chat.threadMenu'), exact: true}).click()
    await page.getByRole('menuitem', {name: word('chat.whatHappened')}).click()
    await expect(dialog(page).getByRole('heading', {name: word('flow.title')})).toBeVisible()
  }
  await watchAnswer({page, modelServer, ask: (question) => ask(page, question), openRunning})
})

test('of an answer that is being written, by the palette', long, async ({chat: page, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const word = await wordsOf(page)
  const openRunning = async () => {
    await page.keyboard.press('ControlOrMeta+k')
    const field = dialog(page).getByRole('combobox')
    await field.fill(word('chat.whatHappened'))
    await expect(dialog(page).getByRole('option').first()).toContainText(word('chat.whatHappened'))
    await field.press('Enter')
    await expect(dialog(page).getByRole('heading', {name: word('flow.title')})).toBeVisible()
  }
  await watchAnswer({page, modelServer, ask: (question) => ask(page, question), openRunning})
})
