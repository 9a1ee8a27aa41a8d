import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {card, newPrompt} from './support/charged-once.ts'
import {conversationId, ended, row} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {generate, openTool} from './support/media-page.ts'
import {reopenIn} from './support/page-looks.ts'
import {pixel} from './support/pixel.ts'
import {keptData} from './support/private-data.ts'
import {secondTab} from './support/signed-in.ts'
import {askWhileHeld, list} from './support/waiting-questions.ts'

/* Signing out drops what no server has. Who has typed something is asked before. */

const dialog = (page: Page) => page.getByRole('dialog', {name: 'Log out?'})
const lost = (page: Page) => dialog(page).getByRole('listitem')
const signInForm = (page: Page) => page.getByRole('heading', {name: 'Sign in to Atrium'})

async function signOutByMenu(page: Page) {
  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Log out'}).click()
}
async function signOutByPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('log out')
  await page.getByRole('option', {name: 'Log out'}).click()
}
const press = (page: Page, name: string) => dialog(page).getByRole('button', {name, exact: true}).click()

test('who has an unsent draft is asked by menu and palette, stays with it, and signs out without it', async ({
  chat,
}) => {
  await composer(chat).fill('Half a thought')
  await signOutByMenu(chat)
  await expect(lost(chat)).toHaveText(['1 draft'])
  await expect(dialog(chat).getByRole('button', {name: 'Stay'})).toBeFocused()
  expect(await axeFaults(chat)).toEqual([])
  await press(chat, 'Stay')
  await expect(dialog(chat)).toHaveCount(0)
  await expect(composer(chat)).toHaveValue('Half a thought')
  await signOutByPalette(chat)
  await expect(lost(chat)).toHaveText(['1 draft'])
  await chat.keyboard.press('Escape')
  await expect(dialog(chat)).toHaveCount(0)
  await expect(composer(chat)).toHaveValue('Half a thought')
  await signOutByPalette(chat)
  await press(chat, 'Log out')
  await expect(signInForm(chat)).toBeVisible()
  expect(await keptData(chat)).not.toContain('Half a thought')
})

test('who has nothing to lose is not asked', async ({chat}) => {
  await composer(chat).fill('Half a thought')
  await composer(chat).fill('')
  await signOutByPalette(chat)
  await expect(signInForm(chat)).toBeVisible()
})

test('the question counts the questions that wait and the files, also of another tab', async ({chat, modelServer}) => {
  await askWhileHeld(chat, modelServer, 'two', 'three')
  await expect(list(chat).getByRole('group')).toHaveCount(2)
  await chat.locator('input[type=file]').setInputFiles({name: 'red.png', mimeType: 'image/png', buffer: pixel})
  await expect(chat.getByRole('button', {name: 'Remove red.png'})).toBeVisible()
  await expect.poll(() => keptData(chat)).toContain('red.png')
  const other = await secondTab(chat, '/deepseek/conversations')
  await composer(other).fill('Half a thought')
  await signOutByMenu(other)
  await expect(lost(other)).toHaveText(['2 drafts', '2 unanswered questions'])
  await press(other, 'Log out')
  await expect(signInForm(other)).toBeVisible()
  await expect(chat.getByText('Sign in again to continue.')).toBeVisible()
  modelServer.release()
})

test('questions whose server cannot be reached are counted, also one of another tab', async ({chat}) => {
  const other = await secondTab(chat, '/deepseek/conversations')
  await expect(other.getByText('Your conversations will be listed here.')).toBeVisible()
  for (const tab of [chat, other]) {
    await tab.route('**/services/api/aichat/**', (route) => route.abort('connectionrefused'))
    await ask(tab, 'Herons')
    await expect(tab.getByRole('log').getByText('Herons')).toBeVisible()
  }
  await expect.poll(async () => (await keptData(chat)).split('Herons').length).toBeGreaterThan(2)
  await signOutByMenu(other)
  await expect(lost(other)).toHaveText(['2 unanswered questions'])
})

test('a request of a tool that no server has answered is counted', async ({chat}) => {
  const prompt = newPrompt('A heron')
  await openTool(chat, '/flux')
  await chat.route('**/services/api/flux/images', (route) => route.abort('connectionreset'))
  await generate(chat, prompt)
  await expect(card(chat, prompt)).toContainText('Sending')
  await signOutByMenu(chat)
  await expect(lost(chat)).toHaveText(['1 task that was not started'])
})

test('the draft of a conversation that was deleted is gone, and counted no more', async ({chat}) => {
  await ask(chat, 'First')
  await conversationId(chat)
  await ended(chat)
  await composer(chat).fill('Half a thought')
  await expect.poll(() => keptData(chat)).toContain('Half a thought')
  await row(chat, 'First').getByRole('link').press('Delete')
  await chat.getByRole('button', {name: 'Delete', exact: true}).click()
  await expect(row(chat, 'First')).toHaveCount(0)
  // the deletion goes out as the page goes
  await chat.reload()
  await expect.poll(() => keptData(chat)).not.toContain('Half a thought')
  await signOutByPalette(chat)
  await expect(signInForm(chat)).toBeVisible()
})

for (const width of [1440, 390])
  test(`the profile page asks for what was typed on it, then for drafts, at ${width} pixels`, async ({chat}) => {
    await chat.setViewportSize({width, height: 844})
    await composer(chat).fill('Half a thought')
    await expect.poll(() => keptData(chat)).toContain('Half a thought')
    await chat.goto(new URL('/profile', chat.url()).href)
    await chat.getByLabel('Name').fill('Ada')
    const signOut = chat.getByRole('main').getByRole('button', {name: 'Log out', exact: true})
    const unsaved = chat.getByRole('dialog', {name: 'Leave without saving?'})
    await signOut.click()
    await unsaved.getByRole('button', {name: 'Stay'}).click()
    await expect(chat.getByLabel('Name')).toHaveValue('Ada')
    await signOut.click()
    await unsaved.getByRole('button', {name: 'Leave'}).click()
    await expect(lost(chat)).toHaveText(['1 draft'])
    await press(chat, 'Log out')
    await expect(signInForm(chat)).toBeVisible()
    expect(await keptData(chat)).not.toContain('Half a thought')
  })

test('a question that is open ends with the session that another tab ends', long, async ({chat}) => {
  await composer(chat).fill('Half a thought')
  await signOutByMenu(chat)
  await expect(dialog(chat)).toBeVisible()
  const other = await secondTab(chat)
  await signOutByMenu(other)
  await press(other, 'Log out')
  await expect(signInForm(other)).toBeVisible()
  await expect(chat.getByText('Sign in again to continue.')).toBeVisible()
  await expect(dialog(chat)).toHaveCount(0)
})

test('the question fits a phone, in Arabic too', long, async ({chat, modelServer}) => {
  await ask(chat, 'First')
  await conversationId(chat)
  modelServer.answer('Yes.')
  for (const [locale, width] of [
    ['en', 390],
    ['ar', 390],
    ['ar', 1440],
  ] as const) {
    await chat.setViewportSize({width, height: 844})
    await reopenIn(chat, {theme: 'light', locale})
    await composer(chat).fill('Half a thought')
    await chat.keyboard.press('ControlOrMeta+k')
    await chat.getByRole('combobox').fill('log out')
    await chat.getByRole('option').first().click()
    await expect(chat.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
    expect(await axeFaults(chat)).toEqual([])
    const box = await chat.getByRole('dialog').boundingBox()
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true)
    await chat.keyboard.press('Escape')
    await expect(chat.getByRole('dialog')).toHaveCount(0)
    await expect(composer(chat)).toHaveValue('Half a thought')
  }
})
