import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {ended} from './support/chat-page.ts'
import {button, openDialog, openHands} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {pixel} from './support/pixel.ts'

/* A dialog of the chat ends with the session of its user, who signs out in another tab. */

async function signOutElsewhere(page: Page) {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', {name: 'Account', exact: true}).click()
  await other.getByRole('menuitem', {name: 'Log out'}).click()
  await other.getByLabel('Password', {exact: true}).waitFor()
  await page.getByText('Sign in again to continue.').waitFor()
}

test('an export that waits for an attachment asks for it no more', long, async ({chat: page, modelServer}) => {
  modelServer.answer('It is red.')
  await page.locator('input[type=file]').setInputFiles({name: 'red.png', mimeType: 'image/png', buffer: pixel})
  await expect(page.getByRole('button', {name: 'Remove red.png'})).toBeVisible()
  await composer(page).fill('Which colour?')
  await expect(page.getByRole('button', {name: 'Send'})).toBeEnabled()
  await composer(page).press('Enter')
  await ended(page)
  const hands = await openHands(page)
  await openDialog(page, 'Which colour?')
  const endOfRequest = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.png'))
  await button(hands, 'Export').click()
  await hands.attachments.waitForOne()
  await signOutElsewhere(page)
  await endOfRequest
  expect(hands.saved).toEqual([])
})

test('the dialog of an import closes', long, async ({chat: page}) => {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('import conversations')
  await page.getByRole('option', {name: 'Import conversations'}).click()
  const dialog = page.getByRole('dialog', {name: 'Import conversations'})
  await expect(dialog).toBeVisible()
  await signOutElsewhere(page)
  await expect(dialog).toHaveCount(0)
})
