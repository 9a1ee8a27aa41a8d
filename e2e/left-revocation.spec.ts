import type {Page, Route} from '@playwright/test'
import {ask, expect, test} from './fixtures.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'

/* A link or a key that a user has revoked is revoked, though its view is left before the server has said so. */

/** Holds the removals at an address. */
const heldRemoval = (page: Page, address: RegExp): Promise<Route> =>
  new Promise((resolve, reject) => {
    page
      .route(address, async (route) => {
        if (route.request().method() === 'DELETE') resolve(route)
        else await route.fallback()
      })
      .catch(reject)
  })

async function shareAnswer(page: Page): Promise<string> {
  await ask(page, 'What eats an owl?')
  await expect(lastMessage(page)).toContainText('Nothing')
  await ended(page)
  await page.getByRole('banner').getByRole('button', {name: 'Share…'}).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', {name: 'Make link'}).click()
  return (await dialog.getByRole('link', {name: 'Open'}).getAttribute('href')) ?? ''
}

async function revokeAndClose(page: Page): Promise<Route> {
  const removal = heldRemoval(page, /\/shares\/[\w-]+/)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', {name: 'Revoke'}).click()
  await dialog.getByRole('button', {name: 'Revoke'}).click()
  const route = await removal
  await dialog.getByRole('button', {name: 'Close'}).click()
  await expect(dialog).toHaveCount(0)
  return route
}

test('a link is revoked though its dialog is closed at once', long, async ({chat, modelServer, request}) => {
  modelServer.answer('Nothing eats an owl.')
  const address = await shareAnswer(chat)
  const removal = await revokeAndClose(chat)
  // the call goes on: the page hears how it ended
  const answer = chat.waitForResponse((response) => response.request() === removal.request())
  await removal.continue()
  expect((await answer).ok()).toBe(true)
  await expect.poll(async () => (await request.get(address)).status()).toBe(404)
})

test(
  'a link that could not be revoked after its dialog was closed is said to work',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('Nothing eats an owl.')
    await shareAnswer(chat)
    const removal = await revokeAndClose(chat)
    await removal.fulfill({status: 403, json: {code: 'forbidden', detail: 'no'}})
    await expect(chat.getByText('The link was not revoked and still works.')).toBeVisible()
  },
)

test('a key is revoked though its page is left at once', long, async ({chat}) => {
  await chat.getByRole('link', {name: 'Console'}).click()
  await chat
    .getByRole('table')
    .getByRole('button', {name: /^More for/})
    .click()
  await chat.getByRole('menuitem', {name: 'API keys'}).click()
  const address = chat.url()
  await chat.getByRole('button', {name: 'Create key'}).first().click()
  await chat.getByLabel('Name (optional)').fill('weekly')
  await chat.getByRole('dialog').getByRole('button', {name: 'Create key'}).click()
  await chat.getByRole('dialog', {name: 'Your new key'}).getByRole('button', {name: 'Done'}).click()
  const removal = heldRemoval(chat, /\/credentials\/[\w-]+/)
  await chat.getByRole('button', {name: 'Revoke key weekly'}).click()
  await chat.getByRole('dialog').getByRole('button', {name: 'Revoke'}).click()
  const route = await removal
  await chat.goBack()
  await expect(chat).not.toHaveURL(address)
  const answer = chat.waitForResponse((response) => response.request() === route.request())
  await route.continue()
  expect((await answer).ok()).toBe(true)
  await chat.goForward()
  await expect(chat.getByRole('row').filter({hasText: 'Browser key'})).toHaveCount(1)
  await expect(chat.getByRole('row').filter({hasText: 'weekly'})).toHaveCount(0)
})
