import {expect, test} from './fixtures.ts'
import {answers, conversationId, ended, lastMessage, offeredModel, storedConversations} from './support/chat-page.ts'
import {copied} from './support/clipboard.ts'
import {long} from './support/full-run.ts'
import {holdDelays} from './support/held-delays.ts'
import {expectEntriesForFingers, expectTexts, messagesByTouch} from './support/phone-messages.ts'
import {anyPhone, expectForFingers, expectGoodInBothThemes} from './support/phone.ts'
import {secondTab} from './support/signed-in.ts'

/* A user changes messages by finger, on a phone in Arabic and in English: versions, branches, links, deletions. */

test.use(anyPhone)

test(
  'a question is saved and asked otherwise, another model answers again, and each version is paged to',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer((prompt) => `جواب ${prompt}`)
    const {word, button, choose, pager, askAndRead} = await messagesByTouch(chat)
    await askAndRead('واحد', 'جواب واحد')
    const question = answers(chat).first()
    const editor = question.getByRole('textbox', {name: word('chat.editLabel')})
    await button(question, 'chat.edit').tap()
    await editor.fill('اثنان')
    await expectForFingers(chat, question)
    await expectGoodInBothThemes(chat, 'an editor')
    await button(question, 'chat.saveText').tap()
    await expectTexts(chat, 'اثنان', 'جواب واحد')
    await expect(pager(question)).toContainText('2 / 2')
    await expect(pager(question).locator('bdi')).toHaveCSS('direction', 'ltr')
    expect(modelServer.prompts).toEqual(['واحد'])
    await button(pager(question), 'chat.previousVersion').tap()
    await expectTexts(chat, 'واحد')
    await expect(chat.getByText(word('chat.versionAlone'))).toBeVisible()
    await expectForFingers(chat, question)
    await expectGoodInBothThemes(chat, 'a version alone')
    await button(pager(question), 'chat.nextVersion').tap()
    await expectTexts(chat, 'اثنان', 'جواب واحد')

    await choose(lastMessage(chat), 'chat.answerWith')
    await expect(offeredModel(chat, /^GPT-4o /).first()).toBeVisible()
    await expectGoodInBothThemes(chat, 'models for another answer')
    modelServer.answer('جواب آخر')
    await offeredModel(chat, /^GPT-4o /)
      .first()
      .tap()
    await expect(pager(lastMessage(chat))).toContainText('2 / 2')
    await ended(chat)
    await expectTexts(chat, 'اثنان', 'جواب آخر')
    expect(modelServer.calls.map(({model}) => model)).toEqual(['gpt-5-all', expect.stringMatching(/^gpt-4o/)])
    await expectForFingers(chat, lastMessage(chat))
    await expectGoodInBothThemes(chat, 'versions')
    await button(pager(lastMessage(chat)), 'chat.previousVersion').tap()
    await expectTexts(chat, 'اثنان', 'جواب واحد')

    modelServer.answer('جواب ثالث')
    await button(question, 'chat.edit').tap()
    await editor.fill('ثلاثة')
    await button(question, 'chat.saveAndAsk').tap()
    await expect(pager(question)).toContainText('3 / 3')
    await ended(chat)
    await chat.reload()
    await expectTexts(chat, 'ثلاثة', 'جواب ثالث')
    await button(pager(question), 'chat.previousVersion').tap()
    // the answer that was on screen when the question was edited (decision 209)
    await expectTexts(chat, 'اثنان', 'جواب واحد')
  },
)

test(
  'a message is linked to, branched from, and deleted with undo and for good',
  long,
  async ({chat, context, modelServer}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    modelServer.answer((prompt) => `جواب ${prompt}`)
    // the undo stays while its looks are checked
    await holdDelays(chat)
    await chat.reload()
    const {word, button, choose, openMenu, askAndRead} = await messagesByTouch(chat)
    await askAndRead('واحد', 'جواب واحد')
    await askAndRead('اثنان', 'جواب اثنان')
    const id = await conversationId(chat)
    const address = chat.url()
    const stored = async () => (await storedConversations(chat)).find((each) => each.id === id)?.messages.length
    await openMenu(lastMessage(chat))
    await expectEntriesForFingers(chat, 8)
    await chat.keyboard.press('Escape')
    await expect(chat.getByRole('menu')).toHaveCount(0)
    await openMenu(answers(chat).first())
    await expectEntriesForFingers(chat, 4)

    const entry = chat.getByRole('menuitem', {name: word('chat.copyLink'), exact: true})
    const link = await copied(entry)
    expect(link).toMatch(new RegExp(`/chatgpt/conversations/${id}#`))
    const other = await secondTab(chat, link)
    await expect(answers(other).first()).toBeFocused()
    await expect(answers(other).first()).toBeInViewport()
    await expectTexts(other, 'واحد', 'جواب واحد', 'اثنان', 'جواب اثنان')
    await other.close()

    const undo = button(chat.getByRole('log'), 'common.undo')
    await choose(answers(chat).nth(1), 'chat.deleteMessage')
    await expectTexts(chat, 'واحد', 'اثنان', 'جواب اثنان')
    await expect(chat.getByText(word('chat.messageDeleted'))).toBeVisible()
    await expectForFingers(chat, chat.getByRole('log'))
    await expectGoodInBothThemes(chat, 'a deleted message')
    await undo.tap()
    await expectTexts(chat, 'واحد', 'جواب واحد', 'اثنان', 'جواب اثنان')
    expect(await stored()).toBe(4)

    await choose(answers(chat).nth(1), 'chat.branch')
    await expectTexts(chat, 'واحد', 'جواب واحد')
    expect(await conversationId(chat)).not.toBe(id)
    // the copy tells how its original came about
    await choose(lastMessage(chat), 'chat.details')
    await expect(chat.getByRole('term').first()).toHaveText(word('chat.model'))
    await expectGoodInBothThemes(chat, 'details of a copied answer')
    await chat.keyboard.press('Escape')
    await askAndRead('ثلاثة', 'جواب ثلاثة')
    await expectTexts(chat, 'واحد', 'جواب واحد', 'ثلاثة', 'جواب ثلاثة')

    await chat.goto(address)
    await expectTexts(chat, 'واحد', 'جواب واحد', 'اثنان', 'جواب اثنان')
    await choose(answers(chat).nth(1), 'chat.deleteMessage')
    await expect(undo).toBeVisible()
    await chat.reload()
    await expect.poll(stored).toBe(3)
    await chat.reload()
    await expectTexts(chat, 'واحد', 'اثنان', 'جواب اثنان')
  },
)
