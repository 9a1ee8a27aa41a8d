import type {Page} from '@playwright/test'
import {ask, expect, test} from './fixtures.ts'
import {askAndRead} from './support/message-versions.ts'
import {chooseModel, composer, ended, lastMessage, newChat, row, stopAnswer} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {blankTab, secondTab} from './support/signed-in.ts'

/* One device or tab of a user takes nothing away that was done on another one. */

const choice = (page: Page) => page.getByRole('button', {name: /^Model: /})

test(
  'a model that was chosen before another device was answered gives way to that of the answer',
  long,
  async ({chat, browser, installation, signedIn}) => {
    await askAndRead(chat, 'one')
    await chooseModel(chat, /^GPT-4o basic/)
    const elsewhere = await browser.newContext()
    const other = await blankTab(elsewhere, installation.url, signedIn)
    await other.goto(chat.url())
    await expect(choice(other)).toHaveAccessibleName('Model: GPT-5')
    await chooseModel(other, /^GPT-4o All-round/)
    await ask(other, 'two')
    await expect(lastMessage(other)).toContainText('GPT-4o')
    await ended(other)

    await chat.reload()
    await expect(lastMessage(chat)).toContainText('GPT-4o')
    await expect(choice(chat)).toHaveAccessibleName('Model: GPT-4o')
    await chooseModel(chat, /^GPT-4o basic/)
    await chat.reload()
    await expect(lastMessage(chat)).toContainText('GPT-4o')
    await expect(choice(chat)).toHaveAccessibleName('Model: GPT-4o basic')
    await elsewhere.close()
  },
)

test(
  'a waiting question that is removed where only the name of the server is known does not come back',
  long,
  async ({chat, installation, modelServer}) => {
    const other = await secondTab(chat, '/chatgpt/conversations')
    await ask(chat, 'Start')
    await ended(chat)
    await row(other, 'Start').getByRole('link').click()
    await ended(other)
    modelServer.hold(1)
    await ask(chat, 'one')
    for (const page of [chat, other]) await expect(lastMessage(page)).toContainText('You')
    for (const question of ['two', 'three']) await ask(chat, question)
    await stopAnswer(chat, () => composer(chat).press('Escape'))
    await ended(chat)
    const queue = (page: Page) => page.getByRole('region', {name: 'Next questions'})
    const remove = (page: Page, question: string) =>
      queue(page)
        .getByRole('group', {name: question})
        .getByRole('button', {name: /^Remove/})
        .click()
    for (const page of [chat, other]) await expect(queue(page).getByRole('group')).toHaveText([/two/, /three/])
    await chat.goto('about:blank')
    await remove(other, 'two')
    await expect(queue(other)).not.toContainText('two')
    await other.goto('about:blank')
    await chat.goto(installation.url)
    await row(chat, 'Start').getByRole('link').click()
    await expect(queue(chat)).toContainText('three')
    await expect(queue(chat)).not.toContainText('two')
  },
)

test('a draft is the same in two tabs that know its conversation by different names', async ({chat, modelServer}) => {
  const other = await secondTab(chat, '/chatgpt/conversations')
  modelServer.answer('first')
  await ask(chat, 'Start')
  await expect(lastMessage(chat)).toContainText('first')
  await ended(chat)
  await row(other, 'Start').getByRole('link').click()
  await expect(lastMessage(other)).toContainText('first')
  const look = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')))

  await composer(chat).fill('typed where it began')
  await look(other)
  await expect(composer(other)).toHaveValue('typed where it began')
  await composer(chat).fill('typed where it began, and on')
  await expect(composer(other)).toHaveValue('typed where it began, and on')

  // both wrote: each keeps its own, and the other one waits until the field is free
  await composer(other).fill('typed there')
  await composer(chat).fill('typed here')
  await expect(composer(other)).toHaveValue('typed there')
  modelServer.answer('second')
  await composer(chat).press('Enter')
  await expect(lastMessage(chat)).toContainText('second')
  await ended(chat)
  await expect(composer(chat)).toHaveValue('')
  await newChat(chat)
  await row(chat, 'Start').getByRole('link').click()
  await expect(composer(chat)).toHaveValue('typed there')
  await expect(composer(other)).toHaveValue('typed there')
})
