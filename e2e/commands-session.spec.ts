import {answers, ask, composer, enter, expect, test} from './fixtures.ts'
import {conversationId, conversations, ended, newChat, opened} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {lookAt} from './support/look-at.ts'
import {field, open, palette, run} from './support/open-palette.ts'
import {blankTab, secondTab} from './support/signed-in.ts'
import {createUser} from './support/users.ts'

/* The palette, the title and the settings over keys that are held, two tabs, a reload and the end of a session. */

test('the palette stays open while its keys are held, and keeps words of the user out of what was used last', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer('At six.')
  await ask(chat, 'When does the harbour open?')
  await ended(chat)
  await chat.keyboard.down('ControlOrMeta')
  await chat.keyboard.down('k')
  await expect(field(chat)).toBeFocused()
  // the second one is a repeat
  await chat.keyboard.down('k')
  await chat.keyboard.down('k')
  await chat.keyboard.up('k')
  await chat.keyboard.up('ControlOrMeta')
  await expect(palette(chat)).toBeVisible()
  await chat.keyboard.press('ControlOrMeta+k')
  await expect(palette(chat)).toHaveCount(0)

  await newChat(chat)
  await opened(chat)
  await conversations(chat)
    .getByRole('link', {name: /harbour/})
    .focus()
  await open(chat)
  await field(chat).fill('harbour')
  await palette(chat)
    .getByRole('group', {name: 'In focus'})
    .getByRole('option', {name: /harbour/})
    .click()
  await expect(answers(chat).last()).toContainText('At six.')
  await run(chat, 'theme light', /Light$/)
  const used = () => chat.evaluate(() => localStorage.getItem('atrium.commands'))
  expect(await used()).toBe('theme/light')
  await chat.reload()
  await opened(chat)
  await open(chat)
  const recent = palette(chat).getByRole('group', {name: 'Recent'}).getByRole('option')
  await expect(recent).toHaveText([/Light/])
  await chat.keyboard.press('Escape')

  await run(chat, 'harbour', /harbour/)
  expect(await used()).toMatch(/^chat\/[\w-]+\ntheme\/light$/)
  await chat.reload()
  await opened(chat)
  await open(chat)
  // the name is that of the list
  await expect(recent).toHaveText([/harbour/, /Light/])
  await chat.keyboard.press('Escape')
  await run(chat, 'log out', /^Log out/)
  await expect(chat.getByLabel('Password', {exact: true})).toBeVisible()
  expect(await used()).toBeNull()
})

test('answers that were unread before a reload are in the title of the tab', long, async ({chat, modelServer}) => {
  modelServer.answer('At six.')
  modelServer.hold(1)
  await ask(chat, 'When does the harbour open?')
  await conversationId(chat)
  await newChat(chat)
  await expect(answers(chat)).toHaveCount(0)
  modelServer.release()
  await expect(conversations(chat).getByRole('img', {name: 'New answer'})).toBeVisible()
  await chat.reload()
  await expect(chat).toHaveTitle(/^\(1\) /)
  await run(chat, 'log out', /^Log out/)
  await expect(chat.getByLabel('Password', {exact: true})).toBeVisible()
  await expect(chat).not.toHaveTitle(/^\(/)
})

test('an answer that ends in a tab that was hidden at once is in its title', long, async ({chat, modelServer}) => {
  modelServer.answer('At six.')
  modelServer.hold(1)
  await ask(chat, 'When does the harbour open?')
  await conversationId(chat)
  // the five seconds after the start never pass
  await chat.addInitScript(() => {
    const pass = globalThis.setTimeout
    Object.assign(globalThis, {
      setTimeout: (run: TimerHandler, wait?: number, ...rest: unknown[]) =>
        pass(run, wait === 5_000 ? 1_000_000 : wait, ...rest),
    })
  })
  await chat.reload()
  await opened(chat)
  await expect(chat).toHaveTitle(/^\(1\) /)
  await lookAt(chat, false)
  await expect(chat.locator('link[rel="manifest"]')).toBeAttached()
  modelServer.release()
  await ended(chat)
  await expect(chat).toHaveTitle(/^\(1\) /)
  await lookAt(chat, true)
  await expect(chat).not.toHaveTitle(/^\(/)
})

test('the key that sends, chosen in one tab, is that of the other one too', long, async ({chat}) => {
  await opened(chat)
  const other = await secondTab(chat)
  await opened(other)
  await run(other, 'settings chat', /Chat$/)
  await other.getByRole('radio', {name: 'Ctrl + Enter'}).check()
  await composer(chat).fill('first')
  await composer(chat).press('Enter')
  await chat.keyboard.type('second')
  await expect(composer(chat)).toHaveValue('first\nsecond')
})

test('a dialog that is open at the sign-out is not there for the next user', long, async ({context, installation}) => {
  const [first, second] = [await createUser(installation.url), await createUser(installation.url)]
  const chat = await blankTab(context, installation.url, first)
  await chat.goto(`${installation.url}/chatgpt/conversations`)
  await opened(chat)
  await run(chat, 'settings data', /Data$/)
  const tab = chat.getByRole('tab', {name: 'Data', selected: true})
  await expect(tab).toBeVisible()
  const other = await secondTab(chat)
  await opened(other)
  await run(other, 'log out', /^Log out/)
  await expect(chat.getByText('Sign in again to continue.')).toBeVisible()
  await enter(other, second.user)
  await expect(composer(other)).toBeEnabled()
  await expect(chat.getByText('Sign in again to continue.')).toHaveCount(0)
  await expect(composer(chat)).toBeEnabled()
  await expect(tab).toHaveCount(0)
})
