import {expect, test} from './fixtures.ts'
import {conversationId, ended, lastMessage, storedConversations} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {anyPhone, askByTouch, expectForFingers, expectGoodInBothThemes} from './support/phone.ts'
import {wordsOf} from './support/words-of.ts'

/* A phone shows no list, so a user manages a conversation from its head: by finger, in Arabic and in English. */

test.use(anyPhone)

test(
  'a conversation is named, pinned, archived and deleted from its head, with undo',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('heron')
    await askByTouch(chat, 'heron')
    await expect(lastMessage(chat)).toContainText('heron')
    await ended(chat)
    const id = await conversationId(chat)
    const address = chat.url()
    const word = await wordsOf(chat)
    const stored = async () => (await storedConversations(chat)).find((each) => each.id === id)
    const choose = async (entry: string) => {
      await chat.getByRole('button', {name: word('chat.threadMenu'), exact: true}).tap()
      await chat.getByRole('menuitem', {name: word(entry), exact: true}).tap()
      await expect(chat.getByRole('menu')).toHaveCount(0)
    }

    await chat.getByRole('button', {name: word('chat.threadMenu'), exact: true}).tap()
    await expect(chat.getByRole('menuitem', {name: word('chat.rename'), exact: true})).toBeVisible()
    const heights = await chat
      .getByRole('menuitem')
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height))
    expect(heights.length).toBeGreaterThanOrEqual(6)
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
    await chat.keyboard.press('Escape')
    await expect(chat.getByRole('menu')).toHaveCount(0)

    await choose('chat.rename')
    const dialog = chat.getByRole('dialog')
    await dialog.getByRole('textbox').fill('مالك الحزين')
    await expectForFingers(chat, dialog)
    await expectGoodInBothThemes(chat, 'title in a dialog')
    await dialog.getByRole('button', {name: word('chat.labelSave'), exact: true}).tap()
    await expect.poll(async () => (await stored())?.title).toBe('مالك الحزين')

    await choose('chat.pin')
    await choose('chat.unpin')

    // what leaves the list gives way to what follows it there, here to nothing
    const undo = chat.getByRole('button', {name: word('common.undo'), exact: true})
    await choose('chat.archiveOne')
    await expect(lastMessage(chat)).toHaveCount(0)
    await chat.goto(address)
    await choose('chat.archiveBack')
    await choose('chat.archiveOne')
    await undo.tap()
    await chat.goto(address)

    await choose('chat.remove')
    await expectGoodInBothThemes(chat, 'question before a deletion')
    await dialog.getByRole('button', {name: word('chat.remove'), exact: true}).tap()
    await expect(lastMessage(chat)).toHaveCount(0)
    await undo.tap()
    await chat.goto(address)
    await expect(lastMessage(chat)).toContainText('heron')
    await expect.poll(async () => (await stored())?.title).toBe('مالك الحزين')
  },
)
