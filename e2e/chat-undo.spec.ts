import type {Request} from '@playwright/test'
import {answers, ask, expect, test} from './fixtures.ts'
import {
  chooseAction,
  conversationId,
  conversations,
  ended,
  lastMessage,
  newChat,
  storedConversations,
  thread,
} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {holdDelays} from './support/held-delays.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {askAndRead, expectMessages, pager} from './support/message-versions.ts'
import {secondTab} from './support/signed-in.ts'

/* Deleted messages, which can be taken back for a while. */

test('a deleted message can be taken back; a page that is left deletes it', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  const id = await conversationId(chat)
  const stored = async () => (await storedConversations(chat)).find((each) => each.id === id)?.messages.length
  await chooseAction(answers(chat).nth(1), 'Delete')
  await expect(answers(chat)).toHaveCount(3)
  await expect(thread(chat).getByRole('button', {name: 'Undo'})).toBeFocused()
  await chat.keyboard.press('ControlOrMeta+z')
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
  expect(await stored()).toBe(4)
  await chooseAction(answers(chat).nth(1), 'Delete')
  await expect(thread(chat).getByText('Message deleted')).toBeVisible()
  await chat.reload()
  await expect.poll(stored).toBe(3)
  await chat.reload()
  await expectMessages(chat, 'one', 'two', 'said: two')
})

test(
  'a tab that opens meanwhile leaves the undo of a deleted message to the other one',
  long,
  async ({chat, context}) => {
    await askAndRead(chat, 'one')
    await askAndRead(chat, 'two')
    const id = await conversationId(chat)
    const removals: string[] = []
    context.on('request', (request) => {
      if (request.postData()?.includes('"action":"remove"') === true) removals.push(request.url())
    })
    // the other tab opens as slowly as it likes
    await holdDelays(chat)
    await chat.reload()
    await expect(lastMessage(chat)).toContainText('said: two')
    await chooseAction(answers(chat).nth(1), 'Delete')
    await expect(answers(chat)).toHaveCount(3)
    const other = await secondTab(chat, `/chatgpt/conversations/${id}`)
    await expect(lastMessage(other)).toContainText('said: two')
    await thread(chat).getByRole('button', {name: 'Undo'}).click()
    await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
    await expectMessages(other, 'one', 'said: one', 'two', 'said: two')
    await chat.reload()
    await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
    expect(removals).toEqual([])
  },
)

test('a message deleted a moment ago is not read with what is asked next', long, async ({chat, modelServer}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'secret')
  const read = () => JSON.stringify(modelServer.calls.at(-1)?.messages)
  await chooseAction(answers(chat).nth(2), 'Delete')
  await chooseAction(lastMessage(chat), 'Delete')
  await askAndRead(chat, 'two')
  expect(read()).not.toContain('secret')
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')

  await chooseAction(answers(chat).nth(1), 'Delete')
  await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')
  await ended(chat)
  expect(read()).not.toContain('said')
  await chat.reload()
  await expectMessages(chat, 'one', 'two', 'two')

  // no answer is given again to a question that is gone
  await chooseAction(answers(chat).nth(1), 'Delete')
  await expect(lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true})).toHaveCount(0)
})

test(
  'a question that waits for a deletion shows, and goes out although its chat or its page is left',
  long,
  async ({chat, modelServer}) => {
    await askAndRead(chat, 'one')
    const isRemoval = (request: Request) => request.postData()?.includes('"remove"') === true
    const removals = await HeldRoute.on(chat, /aichat\/conversations$/, isRemoval)
    const read = () => JSON.stringify(modelServer.calls.at(-1)?.messages)

    await chooseAction(lastMessage(chat), 'Delete')
    await ask(chat, 'two')
    modelServer.answer('another two')
    await expect.poll(() => removals.held).toBe(1)
    await expect(answers(chat).nth(1)).toContainText('two')
    await newChat(chat)
    await removals.let(goOn)
    await conversations(chat).getByRole('link', {name: 'one'}).click()
    await expectMessages(chat, 'one', 'two', 'another two')
    await ended(chat)
    expect(read()).not.toContain('said: one')

    removals.hold()
    await chooseAction(lastMessage(chat), 'Delete')
    await ask(chat, 'three')
    await expect.poll(() => removals.held).toBeGreaterThan(0)
    removals.hold()
    await chat.reload()
    await expect(answers(chat).nth(2)).toContainText('three')
    await removals.let(goOn)
    await expectMessages(chat, 'one', 'two', 'three', 'another two')
    await ended(chat)
  },
)

test('a message deleted without a network stays deleted when the page closes', long, async ({wired: {page, cable}}) => {
  await askAndRead(page, 'one')
  const id = await conversationId(page)
  const stored = async () => (await storedConversations(page)).find((each) => each.id === id)?.messages.length
  await chooseAction(lastMessage(page), 'Delete')
  await expect(thread(page).getByText('Message deleted')).toBeVisible()
  cable.cut()
  await page.goto('about:blank')
  cable.mend()
  await page.goBack()
  await expectMessages(page, 'one')
  await expect.poll(stored).toBe(1)
})
