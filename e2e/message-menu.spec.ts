import type {Page} from '@playwright/test'
import {readFileSync} from 'node:fs'
import {ask, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {answers, chooseAction, composer, ended, lastMessage, moreActions} from './support/chat-page.ts'
import {openIn, reopenIn} from './support/page-looks.ts'

/* The buttons of a message: the few that are used most, and a menu with the rest. */

const names = async (page: Page) => {
  const buttons = await lastMessage(page).getByRole('button').all()
  return Promise.all(
    buttons.map(
      async (button) => (await button.getAttribute('aria-label')) ?? button.locator('span').first().innerText(),
    ),
  )
}
const words = (locale: string): Record<string, {message: string}> =>
  JSON.parse(readFileSync(new URL(`../locales/${locale}/chat.json`, import.meta.url), 'utf8'))

/** Every icon of the message stands in one line; model and time have one of their own where there is no room. */
const linesOf = async (page: Page) => {
  const tops = await lastMessage(page)
    .getByRole('button')
    .and(page.locator('[aria-label]'))
    .evaluateAll((buttons) => buttons.map((button) => Math.round(button.getBoundingClientRect().top)))
  return new Set(tops).size
}

test('an answer shows few buttons; the menu has the rest, is used by keys and gives the focus back', async ({
  tab: chat,
  modelServer,
}) => {
  await chat.setViewportSize({width: 1440, height: 900})
  await openIn(chat, '/chatgpt/conversations', {theme: 'dark', locale: 'en'})
  modelServer.answer('Some words')
  await ask(chat, 'Words?')
  await ended(chat)
  await expect.poll(() => names(chat)).toEqual(['Copy as Markdown', 'Answer again', 'More actions', 'Details'])
  expect(await axeFaults(chat)).toEqual([])
  const more = moreActions(lastMessage(chat))
  await more.focus()
  await more.press('Enter')
  await expect(chat.getByRole('menuitem')).toHaveText([
    'Copy as text',
    'Copy link',
    'Read aloud',
    'Choose a model for a new answer',
    'Branch from here',
    'Details',
    'What happened',
    'Delete',
  ])
  expect(await axeFaults(chat, '[role=menu] > *')).toEqual([])
  await chat.keyboard.press('Escape')
  await expect(more).toBeFocused()

  for (const [name, role] of [
    ['What happened', 'dialog'],
    ['Details', 'dialog'],
    ['Choose a model for a new answer', 'grid'],
  ] as const) {
    await more.press('Enter')
    await chat.getByRole('menuitem', {name}).press('Enter')
    await expect(chat.getByRole(role)).toBeVisible()
    await chat.keyboard.press('Escape')
    await expect(chat.getByRole(role)).toHaveCount(0)
    await expect(more).toBeFocused()
  }

  await answers(chat).first().hover()
  await expect(answers(chat).first().getByRole('button')).toHaveCount(3)
  await chooseAction(answers(chat).first(), 'Delete')
  await expect(chat.getByText('Message deleted')).toBeVisible()
})

test.describe('on a phone, in Arabic', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true})

  test('the buttons stand in one line, with the versions too', async ({chat, modelServer}) => {
    const arabic = words('ar')
    modelServer.answer('كلمات')
    await composer(chat).fill('Words?')
    await chat.getByRole('button', {name: 'Send'}).tap()
    await ended(chat)
    await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).tap()
    await expect(lastMessage(chat).getByRole('group', {name: 'Versions'})).toContainText('2 / 2')
    await ended(chat)
    await reopenIn(chat, {theme: 'light', locale: 'ar'})
    await expect(lastMessage(chat).getByRole('group')).toContainText('2 / 2')
    await expect(lastMessage(chat).getByRole('group').locator('bdi')).toHaveCSS('direction', 'ltr')
    await expect.poll(() => linesOf(chat)).toBe(1)
    expect(await axeFaults(chat)).toEqual([])
    await lastMessage(chat)
      .getByRole('button', {name: arabic['messageActions']?.message ?? '', exact: true})
      .tap()
    await expect(chat.getByRole('menuitem')).toHaveCount(8)
    expect(await axeFaults(chat, '[role=menu] > *')).toEqual([])
    expect(await chat.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
  })
})
