import type {Page} from '@playwright/test'
import {answers, ask, expect, test} from './fixtures.ts'
import {conversationId, conversations, lastMessage, newChat, storedAnswer} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {secondTab} from './support/signed-in.ts'

test.beforeEach(({chat, modelServer}) => {
  expect(chat.url()).toContain('/chatgpt/')
  modelServer.answer((prompt) => `${prompt} first second third`)
})

/** The row whose link leads to a conversation; its title changes while the answer is written. */
const rowOf = (page: Page, id: string) =>
  conversations(page)
    .getByRole('listitem')
    .filter({has: page.locator(`a[href$="/${id}"]`)})

test('an answer goes on while another conversation is open: a live dot, then an unread dot over a reload, then none in any tab', async ({
  chat,
  modelServer,
}) => {
  modelServer.hold(2)
  await ask(chat, 'Apple')
  await expect(lastMessage(chat)).toContainText('first')
  const id = await conversationId(chat)
  await newChat(chat)
  await expect(answers(chat)).toHaveCount(0)
  const apple = rowOf(chat, id)
  await expect(apple.getByRole('img', {name: 'Answering'})).toBeVisible()
  // without its pulse it is a ring
  await chat.emulateMedia({reducedMotion: 'reduce'})
  await expect(apple.getByRole('img', {name: 'Answering'})).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  modelServer.release()
  await expect(apple.getByRole('img', {name: 'New answer'})).toBeVisible()
  await expect(apple.getByRole('img', {name: 'New answer'})).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  await chat.emulateMedia({reducedMotion: null})
  await expect(answers(chat)).toHaveCount(0)
  await chat.reload()
  await expect(apple.getByRole('img', {name: 'New answer'})).toBeVisible()
  const other = await secondTab(chat)
  await expect(rowOf(other, id).getByRole('img', {name: 'New answer'})).toBeVisible()
  await apple.getByRole('link').click()
  await expect(lastMessage(chat)).toContainText('Apple first second third')
  await expect(rowOf(other, id).getByRole('img', {name: 'New answer'})).toHaveCount(0)
  await expect(rowOf(other, id)).toBeVisible()
  await expect(apple.getByRole('img', {name: 'New answer'})).toHaveCount(0)
  expect((await storedAnswer(chat, id)).content).toBe('Apple first second third')
})

test('two conversations answer at once, each with its own answer', long, async ({chat, modelServer}) => {
  modelServer.hold(2)
  await ask(chat, 'Pear')
  await expect(lastMessage(chat)).toContainText('first')
  const pear = await conversationId(chat)
  await newChat(chat)
  await ask(chat, 'Plum')
  await expect(lastMessage(chat)).toContainText('Plum first')
  await expect.poll(() => conversationId(chat)).not.toBe(pear)
  const plum = await conversationId(chat)
  await expect(rowOf(chat, pear).getByRole('img', {name: 'Answering'})).toBeVisible()
  await expect(rowOf(chat, plum).getByRole('img', {name: 'Answering'})).toBeVisible()

  modelServer.release('Pear')
  await expect(rowOf(chat, pear).getByRole('img', {name: 'New answer'})).toBeVisible()
  await expect(lastMessage(chat)).not.toContainText('third')
  await rowOf(chat, pear).getByRole('link').click()
  await expect(lastMessage(chat)).toContainText('Pear first second third')
  modelServer.release()
  await expect(rowOf(chat, plum).getByRole('img', {name: 'New answer'})).toBeVisible()
  await rowOf(chat, plum).getByRole('link').click()
  await expect(lastMessage(chat)).toContainText('Plum first second third')
  expect((await storedAnswer(chat, pear)).content).toBe('Pear first second third')
  expect((await storedAnswer(chat, plum)).content).toBe('Plum first second third')
})

test('stopping one leaves the other alone', long, async ({chat, modelServer}) => {
  modelServer.hold(2)
  await ask(chat, 'Fig')
  await expect(lastMessage(chat)).toContainText('first')
  const fig = await conversationId(chat)
  await newChat(chat)
  await ask(chat, 'Kiwi')
  await expect(lastMessage(chat)).toContainText('Kiwi first')
  await chat.getByRole('button', {name: 'Stop'}).click()
  await expect(lastMessage(chat)).toContainText('Stopped.')
  await expect(rowOf(chat, fig).getByRole('img', {name: 'Answering'})).toBeVisible()
  modelServer.release()
  await rowOf(chat, fig).getByRole('link').click()
  await expect(lastMessage(chat)).toContainText('Fig first second third')
})
