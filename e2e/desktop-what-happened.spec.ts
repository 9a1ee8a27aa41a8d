import type {Locator} from '@playwright/test'
import {ask, expect, test} from './fixtures.ts'
import {makeImage} from './support/desktop-pages.ts'
import {anyDesktop} from './support/desktop.ts'
import {reportAnswer, reportRefusal} from './support/flow-answers.ts'
import {flowDialog as dialog, isAsked, reportTask, traceOf} from './support/flow-dialog.ts'
import {long} from './support/full-run.ts'
import {wordsOf} from './support/words-of.ts'

/* "What happened" on a desktop in English and in Arabic: of an answer, of a refused one and of a task, copied for a report. */

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
