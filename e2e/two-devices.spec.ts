import type {Page} from '@playwright/test'
import {ask, expect, test} from './fixtures.ts'
import {askAndRead} from './support/message-versions.ts'
import {chooseModel, ended, lastMessage} from './support/chat-page.ts'
import {blankTab} from './support/signed-in.ts'

/* One device or tab of a user takes nothing away that was done on another one. */

const choice = (page: Page) => page.getByRole('button', {name: /^Model: /})

test('a model that was chosen before another device was answered gives way to that of the answer', async ({
  chat,
  browser,
  installation,
  signedIn,
}) => {
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
})
