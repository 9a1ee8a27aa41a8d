import {answers, ask, composer, expect, test} from './fixtures.ts'
import {chooseAction, ended, lastMessage, newChat, row} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {askAndRead, edit, expectMessages, pager, texts} from './support/message-versions.ts'
import {secondTab} from './support/signed-in.ts'

/* Messages that are edited: what is typed into an editor is lost by no other tab and no reload. */

test('an edit that is left half typed is there again, until it is cancelled or sent', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  const editor = chat.getByRole('textbox', {name: 'Edit message'})
  await answers(chat).first().hover()
  await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
  await editor.fill('one and a half')
  await newChat(chat)
  await askAndRead(chat, 'other')
  await row(chat, 'one').getByRole('link').click()
  await expect(editor).toHaveValue('one and a half')
  await expect(composer(chat)).toBeFocused()
  await chat.reload()
  await expect(editor).toHaveValue('one and a half')
  await editor.press('Escape')
  await expect(editor).toHaveCount(0)
  await answers(chat).first().hover()
  await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
  await expect(editor).toHaveValue('one')
  await expect(editor).toBeFocused()
  await editor.fill('two')
  await editor.press('Enter')
  await expectMessages(chat, 'two', 'said: two')
  await ended(chat)
  await chat.reload()
  await expectMessages(chat, 'two', 'said: two')
  await expect(editor).toHaveCount(0)
})

test(
  'what is typed into an editor stays there when another tab asks the same question otherwise',
  long,
  async ({chat}) => {
    await askAndRead(chat, 'one')
    const other = await secondTab(chat)
    await expectMessages(other, 'one', 'said: one')
    await answers(chat).first().hover()
    await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
    await chat.getByRole('textbox', {name: 'Edit message'}).fill('uno')

    await edit(answers(other).first(), 'eins', 'Save & ask again')
    await expectMessages(other, 'eins', 'said: eins')
    await expect(texts(chat).last()).toContainText('said: eins')
    await expect(chat.getByRole('textbox', {name: 'Edit message'})).toHaveValue('uno')
    await chat.getByRole('button', {name: 'Save & ask again', exact: true}).click()
    await expectMessages(chat, 'uno', 'said: uno')
    await expect(pager(answers(chat).first())).toContainText('3 / 3')
  },
)

test(
  'where the words of an editor are is said when another tab replaces a question before it',
  long,
  async ({chat}) => {
    await askAndRead(chat, 'one')
    await askAndRead(chat, 'two')
    const other = await secondTab(chat)
    await expectMessages(other, 'one', 'said: one', 'two', 'said: two')
    const second = answers(chat).nth(2)
    await second.hover()
    await second.getByRole('button', {name: 'Edit'}).click()
    await chat.getByRole('textbox', {name: 'Edit message'}).fill('due')
    await edit(answers(other).first(), 'eins', 'Save & ask again')
    const notice = chat.getByRole('status').filter({hasText: 'Your words are kept with its own version.'})
    await expect(notice).toBeVisible()
    const middles = await notice.getByRole('button').evaluateAll((buttons) =>
      buttons.map((button) => {
        const {top, bottom} = button.getBoundingClientRect()
        return Math.round((top + bottom) / 2)
      }),
    )
    expect(middles).toHaveLength(2)
    expect(new Set(middles).size).toBe(1)
    await notice.getByRole('button', {name: 'Dismiss'}).click()
    await expect(notice).toHaveCount(0)
  },
)

test('an editor stays with its caret while the question of another tab is answered, and saves after it', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer((prompt) => `said: ${prompt} `.repeat(60))
  await askAndRead(chat, 'one')
  modelServer.answer((prompt) => `said: ${prompt}`)
  await askAndRead(chat, 'two')
  const other = await secondTab(chat)
  await expect(lastMessage(other)).toContainText('said: two')
  const question = answers(chat).nth(2)
  await question.hover()
  await question.getByRole('button', {name: 'Edit'}).click()
  const editor = chat.getByRole('textbox', {name: 'Edit message'})
  const button = (name: string) => question.getByRole('button', {name, exact: true})
  await editor.fill('dx')
  await editor.press('ArrowLeft')
  // at the end of the thread, which is followed there
  await question.hover()
  await chat.mouse.wheel(0, 5_000)
  await expect(chat.getByRole('button', {name: 'Jump to the latest message'})).toHaveCount(0)

  modelServer.hold(600)
  modelServer.answer((prompt) => `said: ${prompt} `.repeat(400))
  await ask(other, 'three')
  await expect(lastMessage(chat)).toContainText(/(said: three ){290}/)
  await expect(editor).toBeFocused()
  await chat.keyboard.type('ue')
  await expect(editor).toHaveValue('duex')
  await expect(editor).toBeInViewport({ratio: 1})
  await expect(button('Save')).toBeDisabled()
  await expect(button('Save & ask again')).toBeDisabled()
  await expect(question.getByRole('status')).toHaveText('An answer is being written. You can save once it is complete.')

  modelServer.release()
  await ended(other)
  await expect(button('Save')).toBeEnabled()
  await expect(editor).toBeFocused()
  await expect(editor).toBeInViewport({ratio: 1})
  await chat.keyboard.press('Delete')
  modelServer.answer((prompt) => `said: ${prompt}`)
  await button('Save & ask again').click()
  await expectMessages(chat, 'one', 'said: one', 'due', 'said: due')
})

test('a text cannot be saved while another change is on its way, which its button shows', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')
  await ended(chat)
  const question = answers(chat).first()
  await question.hover()
  await question.getByRole('button', {name: 'Edit'}).click()
  await question.getByRole('textbox', {name: 'Edit message'}).fill('uno')
  const save = question.getByRole('button', {name: 'Save', exact: true})
  await expect(save).not.toHaveAttribute('aria-disabled')
  const changes = await HeldRoute.on(chat, /aichat\/conversations$/)
  await pager(lastMessage(chat)).getByRole('button', {name: 'Previous version'}).click()
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await changes.let(goOn)
  await expect(save).not.toHaveAttribute('aria-disabled')
  await save.click()
  await expectMessages(chat, 'uno', 'said: one')
})

test('the arrow key edits the last question that is not deleted', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  await chooseAction(answers(chat).nth(2), 'Delete')
  await expect(answers(chat)).toHaveCount(3)
  await composer(chat).press('ArrowUp')
  await expect(chat.getByRole('textbox', {name: 'Edit message'})).toHaveValue('one')
  await expect(chat.getByRole('textbox', {name: 'Edit message'})).toBeFocused()
})

test('the words of an editor are in a new chat when another tab deletes their conversation', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  const other = await secondTab(chat)
  await expectMessages(other, 'one', 'said: one')
  await answers(chat).first().hover()
  await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
  await chat.getByRole('textbox', {name: 'Edit message'}).fill('one and much more')
  await row(other, 'one').getByRole('link').press('Delete')
  await other.keyboard.press('Enter')
  await expect(row(other, 'one')).toHaveCount(0)
  await other.goto('about:blank')
  await chat.getByRole('main').getByRole('link', {name: 'New chat'}).click()
  await expect(composer(chat)).toHaveValue('one and much more')
})
