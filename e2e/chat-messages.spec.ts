import {answers, composer, expect, test} from './fixtures.ts'
import {chooseAction, ended, lastMessage, thread} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {keepSpeech} from './support/kept-speech.ts'
import {askAndRead, edit, expectMessages, pager} from './support/message-versions.ts'
import {expectGoodInBothThemes} from './support/phone.ts'

/*
 * How messages look while something is done with them, in both themes; what becomes of it is in the journeys of each
 * part.
 */

test(
  'messages that are edited, paged, read aloud, looked into and deleted look right in both themes',
  long,
  async ({chat}) => {
    await keepSpeech(chat)
    await chat.reload()
    await composer(chat).waitFor()
    await askAndRead(chat, 'one')
    const question = answers(chat).first()
    await question.hover()
    await question.getByRole('button', {name: 'Edit'}).click()
    await question.getByRole('textbox', {name: 'Edit message'}).fill('half of it')
    await expectGoodInBothThemes(chat, 'an editor')
    await chat.keyboard.press('Escape')
    await edit(question, 'uno', 'Save')
    await expectMessages(chat, 'uno', 'said: one')
    await pager(question).getByRole('button', {name: 'Previous version'}).click()
    await expect(thread(chat).getByText('What followed this question is under another version.')).toBeVisible()
    await expectGoodInBothThemes(chat, 'a version alone')
    await pager(question).getByRole('button', {name: 'Next version'}).click()
    await expectMessages(chat, 'uno', 'said: one')

    const stop = lastMessage(chat).getByRole('button', {name: 'Stop reading'})
    await chooseAction(lastMessage(chat), 'Read aloud')
    await expect(stop).toBeVisible()
    await expectGoodInBothThemes(chat, 'an answer that is read aloud')
    await chat.evaluate(() => window.speechBreaks())
    await expect(lastMessage(chat).getByText('This browser has no voice for it.')).toBeVisible()
    await expectGoodInBothThemes(chat, 'no voice')
    await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
    await expect(pager(lastMessage(chat))).toContainText('2 / 2')
    await ended(chat)
    await chooseAction(lastMessage(chat), 'Details')
    await expect(chat.getByRole('dialog', {name: 'Details'}).getByRole('term').first()).toHaveText('Model')
    await expectGoodInBothThemes(chat, 'details')
    await chat.keyboard.press('Escape')
    await chooseAction(lastMessage(chat), 'Delete')
    await expect(thread(chat).getByText('Message deleted')).toBeVisible()
    await expectGoodInBothThemes(chat, 'a deleted message')
  },
)
