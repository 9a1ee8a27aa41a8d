import type {Page} from '@playwright/test'
import {ask, expect, test} from './fixtures.ts'
import {conversationId, conversations, ended} from './support/chat-page.ts'
import {lookAt} from './support/look-at.ts'

/* A server that could not be reached though the browser had a network: nothing tells the page that it is back. */

const note = (page: Page) =>
  conversations(page).getByText("The server can't be reached. These conversations are kept on this device.")

/** As Back does to a page that the browser has kept: the list is read again. */
const comeBack = (page: Page) =>
  page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})))

test('a list that no server answered for is read by Retry, and when the page is shown again', async ({
  wired: {page, cable},
}) => {
  await ask(page, 'Kites')
  await conversationId(page)
  await ended(page)
  const row = conversations(page).getByRole('link', {name: 'Kites', exact: true})
  const retry = conversations(page).getByRole('button', {name: 'Retry'})
  cable.cut()
  await comeBack(page)
  await expect(note(page)).toBeVisible()
  await expect(row).toBeVisible()
  await retry.press('Enter')
  // in vain: the button is there, with the focus
  await expect(retry).toBeFocused()
  cable.mend()
  await expect(async () => {
    if ((await note(page).count()) > 0) await retry.press('Enter', {timeout: 1_000})
    await expect(note(page)).toHaveCount(0)
  }).toPass()
  await expect(row).toBeVisible()

  cable.cut()
  await comeBack(page)
  await expect(note(page)).toBeVisible()
  cable.mend()
  await lookAt(page, false)
  await lookAt(page, true)
  await expect(note(page)).toHaveCount(0)
  await expect(row).toBeVisible()
})
