import type {Locator} from '@playwright/test'
import {answers, ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {
  chooseAction,
  conversationId,
  conversations,
  ended,
  lastMessage,
  offeredModel,
  row,
  thread,
} from './support/chat-page.ts'
import {long, some} from './support/full-run.ts'
import {askAndRead, edit, expectMessages, pager, texts} from './support/message-versions.ts'
import {secondTab} from './support/signed-in.ts'

/* Versions of messages: nothing that was written is lost by an edit or another answer. */

test(
  'without a network earlier versions are paged to, and what is asked there follows them afterwards',
  long,
  async ({chat, context}) => {
    await askAndRead(chat, 'one')
    await edit(answers(chat).first(), 'uno', 'Save & ask again')
    await expectMessages(chat, 'uno', 'said: uno')
    await ended(chat)
    await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
    await expect(pager(lastMessage(chat))).toContainText('2 / 2')
    await ended(chat)

    await context.setOffline(true)
    const turnBack = (message: Locator) => pager(message).getByRole('button', {name: 'Previous version'}).press('Enter')
    await turnBack(lastMessage(chat))
    await expect(pager(lastMessage(chat))).toContainText('1 / 2')
    await turnBack(answers(chat).first())
    await expectMessages(chat, 'one', 'said: one')
    await ask(chat, 'three')
    await expect(chat.getByText("It will be sent as soon as you're back online.")).toBeVisible()
    await context.setOffline(false)
    await expectMessages(chat, 'one', 'said: one', 'three', 'said: three')
  },
)

test('answers given again and changed questions are versions, after a reload and in another tab too', async ({
  chat,
  modelServer,
}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  modelServer.answer('another two')
  await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expectMessages(chat, 'one', 'said: one', 'two', 'another two')
  await ended(chat)
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')

  modelServer.answer('said: uno')
  await edit(answers(chat).first(), 'uno', 'Save & ask again')
  await expectMessages(chat, 'uno', 'said: uno')
  await ended(chat)
  await chat.reload()
  await expectMessages(chat, 'uno', 'said: uno')
  await expect(pager(answers(chat).first())).toContainText('2 / 2')

  const other = await secondTab(chat)
  await expectMessages(other, 'uno', 'said: uno')
  await pager(answers(chat).first()).getByRole('button', {name: 'Previous version'}).press('Enter')
  await expectMessages(chat, 'one', 'said: one', 'two', 'another two')
  await expectMessages(other, 'one', 'said: one', 'two', 'another two')
  await pager(lastMessage(chat)).getByRole('button', {name: 'Next version'}).press('ArrowLeft')
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
  await expect(pager(lastMessage(chat))).toContainText('1 / 2')
  await expect(texts(other).last()).toContainText('said: two')
})

test('a question is shown again with the answer that was left, after a reload, in another tab and without a network', async ({
  chat,
  context,
  modelServer,
}) => {
  await askAndRead(chat, 'one')
  const answer = answers(chat).nth(1)
  for (const words of ['a second one', 'a third one']) {
    modelServer.answer(words)
    await answer.getByRole('button', {name: 'Answer again', exact: true}).click()
    await expectMessages(chat, 'one', words)
    await ended(chat)
  }
  const turn = (message: Locator, way: 'Previous' | 'Next') =>
    pager(message)
      .getByRole('button', {name: `${way} version`})
      .press('Enter')
  await turn(answer, 'Previous')
  await expectMessages(chat, 'one', 'a second one')
  await turn(answer, 'Previous')
  await expectMessages(chat, 'one', 'said: one')
  modelServer.answer('said: uno')
  const question = answers(chat).first()
  await edit(question, 'uno', 'Save & ask again')
  await expectMessages(chat, 'uno', 'said: uno')
  await ended(chat)

  await turn(question, 'Previous')
  await expectMessages(chat, 'one', 'said: one')
  await expect(pager(answer)).toContainText('1 / 3')
  await chat.reload()
  await expectMessages(chat, 'one', 'said: one')
  const other = await secondTab(chat)
  await expectMessages(other, 'one', 'said: one')
  await turn(answers(other).first(), 'Next')
  await expectMessages(other, 'uno', 'said: uno')
  await expectMessages(chat, 'uno', 'said: uno')
  await turn(question, 'Previous')
  await expectMessages(chat, 'one', 'said: one')
  await expectMessages(other, 'one', 'said: one')
  await other.close()

  await turn(answer, 'Next')
  await expectMessages(chat, 'one', 'a second one')
  await turn(question, 'Next')
  await expectMessages(chat, 'uno', 'said: uno')
  await context.setOffline(true)
  await turn(question, 'Previous')
  await expectMessages(chat, 'one', 'a second one')
  await turn(answer, 'Previous')
  await expectMessages(chat, 'one', 'said: one')
  await turn(question, 'Next')
  await expectMessages(chat, 'uno', 'said: uno')
  await turn(question, 'Previous')
  await expectMessages(chat, 'one', 'said: one')
})

test('a failed answer is a version that can be left and shown again', long, async ({chat, modelServer}) => {
  await askAndRead(chat, 'one')
  modelServer.fail(500, {error: {message: 'Exploded'}})
  await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expect(thread(chat).getByRole('alert')).toBeVisible()
  await pager(lastMessage(chat)).getByRole('button', {name: 'Previous version'}).click()
  await expectMessages(chat, 'one', 'said: one')
  await pager(lastMessage(chat)).getByRole('button', {name: 'Next version'}).click()
  await expect(thread(chat).getByRole('alert')).toBeVisible()
})

test('another model answers again, and the conversation goes on with its own', long, async ({chat, modelServer}) => {
  await askAndRead(chat, 'one')
  const first = modelServer.calls.at(-1)?.model
  await chooseAction(lastMessage(chat), 'Choose a model for a new answer')
  await offeredModel(chat, /^GPT-4o basic/).click()
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')
  await ended(chat)
  expect([first, modelServer.calls.at(-1)?.model]).toEqual(['gpt-5-all', 'gpt-4o'])
  await chat.reload()
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')
  await askAndRead(chat, 'two')
  expect(modelServer.calls.at(-1)?.model).toBe('gpt-5-all')
})

test('a saved text asks nothing, and the text before stays', async ({chat, modelServer}) => {
  await askAndRead(chat, 'one')
  const calls = modelServer.calls.length
  await edit(answers(chat).first(), 'uno', 'Save')
  await expectMessages(chat, 'uno', 'said: one')
  await expect(chat.getByRole('textbox', {name: 'Edit message'})).toHaveCount(0)
  expect(modelServer.calls).toHaveLength(calls)
  await pager(answers(chat).first()).getByRole('button', {name: 'Previous version'}).click()
  await expectMessages(chat, 'one')
  await expect(thread(chat).getByText('What followed this question is under another version.')).toBeVisible()
  // nothing follows the question: what leads to its other version shows without a pointer
  await composer(chat).focus()
  await chat.mouse.move(0, 0)
  await expect(pager(answers(chat).first()).locator('..')).toHaveCSS('opacity', '1')
  await pager(answers(chat).first()).getByRole('button', {name: 'Next version'}).click()
  await expectMessages(chat, 'uno', 'said: one')
  await expect(thread(chat).getByText('What followed')).toHaveCount(0)
})

test('while an answer is written the versions say why they stay', long, async ({chat, modelServer}) => {
  await askAndRead(chat, 'one')
  await edit(answers(chat).first(), 'uno', 'Save')
  await expect(pager(answers(chat).first())).toBeVisible()
  modelServer.hold(1)
  await ask(chat, 'two')
  await expect(lastMessage(chat)).toContainText('You')
  await expect(pager(answers(chat).first())).toHaveAccessibleDescription(
    'Versions can be changed when the answer is complete.',
  )
  modelServer.release()
  await ended(chat)
  await expect(pager(answers(chat).first())).toHaveAccessibleDescription('')
})

test('a branch of a branch says so once, and a title as long as any leaves room for it', async ({chat}) => {
  await askAndRead(chat, 'one')
  const title = `${'long '.repeat(79)}title`
  await row(chat, 'one').hover()
  await row(chat, 'one').getByRole('button', {name: 'Actions for one'}).click()
  await chat.getByRole('menuitem', {name: 'Rename'}).click()
  await conversations(chat).getByRole('textbox', {name: 'Title of the conversation'}).fill(title)
  await chat.keyboard.press('Enter')
  const titles = conversations(chat).getByRole('listitem').getByRole('link')
  await expect(titles).toHaveText([title])
  for (const count of [2, 3]) {
    await chooseAction(lastMessage(chat), 'Branch from here')
    await expect(titles).toHaveCount(count)
    await expect(titles.first()).toHaveText(/^Branch · long .*…$/)
    await expect(titles.first()).toHaveAttribute('aria-current', 'page')
  }
})

test('a branch is a conversation of its own, with the messages up to there', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  const id = await conversationId(chat)
  await chooseAction(answers(chat).nth(1), 'Branch from here')
  await expectMessages(chat, 'one', 'said: one')
  expect(await conversationId(chat)).not.toBe(id)
  await expect(conversations(chat).getByRole('link', {name: /^Branch · /})).toHaveAttribute('aria-current', 'page')
  await askAndRead(chat, 'three')
  await expectMessages(chat, 'one', 'said: one', 'three', 'said: three')
  await chat.goBack()
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
})

for (const {name, theme, locale, width, height} of some([
  {name: 'dark on a desktop', theme: 'dark', locale: 'en', width: 1440, height: 900},
  {name: 'light on a phone', theme: 'light', locale: 'en', width: 390, height: 844},
  {name: 'Arabic on a phone', theme: 'light', locale: 'ar', width: 390, height: 844},
])) {
  test(`versions look right: ${name}`, long, async ({chat, context}, journey) => {
    await askAndRead(chat, 'one')
    await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
    await expect(pager(lastMessage(chat))).toContainText('2 / 2')
    await ended(chat)
    await context.addCookies(
      Object.entries({THEME: theme, LOCALE: locale}).map(([key, value]) => ({
        name: key,
        value,
        url: new URL(chat.url()).origin,
        sameSite: 'Lax' as const,
      })),
    )
    await chat.setViewportSize({width, height})
    await chat.reload()
    await composer(chat).waitFor()
    await expect(lastMessage(chat).getByRole('group')).toContainText('2 / 2')
    await expect(chat.locator('html')).toHaveAttribute('data-theme', theme)
    await expect(chat.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr')
    await lastMessage(chat).hover()
    await expect(lastMessage(chat).getByRole('group').locator('bdi')).toHaveCSS('direction', 'ltr')
    expect(await axeFaults(chat)).toEqual([])
    expect(await chat.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await chat.screenshot({path: journey.outputPath('versions.png')})
  })
}
