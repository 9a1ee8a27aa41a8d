import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {anyPhone, askByTouch, expectGoodInBothThemes} from './support/phone.ts'
import {wordsOf} from './support/words-of.ts'
import {secondTab} from './support/signed-in.ts'

/* Panels on a conversation close with a notice when another tab deletes it: on a phone, in Arabic and in English. */

test.use(anyPhone)

test('a conversation that is renamed is deleted in another tab', long, async ({chat, modelServer}) => {
  modelServer.answer('heron')
  await askByTouch(chat, 'heron')
  await expect(lastMessage(chat)).toContainText('heron')
  await ended(chat)
  const word = await wordsOf(chat)
  const choose = async (page: Page, entry: string) => {
    await page.getByRole('button', {name: word('chat.threadMenu'), exact: true}).tap()
    await page.getByRole('menuitem', {name: word(entry), exact: true}).tap()
  }
  await choose(chat, 'chat.rename')
  await chat.getByRole('dialog').getByRole('textbox').fill('مالك الحزين')

  const other = await secondTab(chat)
  await expect(lastMessage(other)).toContainText('heron')
  await choose(other, 'chat.remove')
  await other
    .getByRole('dialog')
    .getByRole('button', {name: word('chat.remove'), exact: true})
    .tap()
  await expect(lastMessage(other)).toHaveCount(0)
  await expect(chat.getByRole('dialog')).toBeVisible()
  await other.goto('about:blank')
  await expect(chat.getByText(word('chat.deletedElsewhere'))).toBeVisible()
  await expect(chat.getByRole('dialog')).toHaveCount(0)
  await expectGoodInBothThemes(chat, 'notice of a deletion')
})
