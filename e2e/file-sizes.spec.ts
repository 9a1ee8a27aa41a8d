import type {Page} from '@playwright/test'
import {answers, ask, expect, test} from './fixtures.ts'
import {conversationId, ended, lastMessage} from './support/chat-page.ts'
import {blankTab} from './support/signed-in.ts'

/* The files of a question show their size beside their name: at once, after a reload, on another device and in a branch. */

const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})

async function attach(page: Page, name: string, bytes: number) {
  await page
    .locator('[data-composer] input[type=file]')
    .setInputFiles({name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'a')})
  await expect(page.getByText('Ready')).toBeVisible()
}

test('a sent file shows its size, also while its question waits, and no device asks for it', async ({
  browser,
  chat,
  installation,
  signedIn,
  modelServer,
}) => {
  modelServer.answer('Read.')
  modelServer.hold(1)
  await attach(chat, 'notes.txt', 12_345)
  await ask(chat, 'Read this')
  // before the server's copy is read
  await expect(answers(chat).first()).toContainText('notes.txt12 kB')
  await conversationId(chat)
  await attach(chat, 'more.txt', 2_048)
  await ask(chat, 'and this')
  await expect(list(chat).getByRole('group')).toContainText('more.txt2 kB')
  await chat.reload()
  await expect(list(chat).getByRole('group')).toContainText('more.txt2 kB')
  modelServer.release()
  await expect(answers(chat).nth(2)).toContainText('more.txt2 kB')
  await expect(lastMessage(chat)).toContainText('Read.')
  await ended(chat)

  const device = await browser.newContext({locale: 'de'})
  const other = await blankTab(device, installation.url, signedIn)
  const requests: string[] = []
  other.on('request', (request) => requests.push(request.url()))
  await other.goto(chat.url())
  await expect(answers(other).first()).toContainText('notes.txt12 kB')
  expect(requests.filter((url) => url.includes('/files/'))).toEqual([])
  await device.close()

  await answers(chat).first().hover()
  await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
  await expect(answers(chat).first().locator('form')).toContainText('12 kB · Ready')
})
