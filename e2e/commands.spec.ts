import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {answers, ended, newChat, opened} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {lookAt} from './support/look-at.ts'
import {cards, generate, made, openTool} from './support/media-page.ts'
import {isCommand} from './support/export-dialog.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import type {ModelServer} from './support/model-server.ts'
import {palette, field, options, open, run} from './support/open-palette.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/* Around the chat: the palette, the keys, the settings, the title of the tab, notifications. */

/** An answer about the harbour is on screen. */
const harbour = async (chat: Page, modelServer: ModelServer) => {
  modelServer.answer('At six.')
  await ask(chat, 'When does the harbour open?')
  await ended(chat)
}

test('a palette that opened before the list was read offers its conversations, and the archive, when it is', async ({
  context,
  installation,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, [{title: 'The harbour', texts: ['When?', 'At six.']}])
  const page = await blankTab(context, installation.url, signedIn)
  const list = await HeldRoute.on(page, '**/aichat/conversations', isCommand('retrieve_batch'))
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await open(page)
  await field(page).fill('harbour')
  await list.waitForOne()
  await expect(palette(page).getByText('Nothing matches.')).toBeVisible()
  await list.let(goOn)
  await expect(options(page).first()).toContainText('The harbour')
  await field(page).fill('archived')
  await expect(options(page).first()).toContainText('Show the archive')
})

test('the palette leads to pages, tools, conversations and settings, and gives the focus back', async ({
  chat,
  modelServer,
}) => {
  await harbour(chat, modelServer)
  await newChat(chat)
  await expect(composer(chat)).toBeFocused()
  await open(chat)
  await chat.keyboard.press('Escape')
  await expect(composer(chat)).toBeFocused()

  await run(chat, 'kli', /^Kling/)
  await expect(chat).toHaveURL(/\/kling$/)
  await run(chat, 'hrbr', /harbour/)
  await expect(answers(chat).last()).toContainText('At six.')
  await run(chat, 'usage', /^Usage/)
  await expect(chat).toHaveURL(/\/console\/usages/)
  await run(chat, 'theme light', /Light$/)
  await expect(chat.locator('html')).toHaveAttribute('data-theme', 'light')
  await run(chat, 'settings data', /Data$/)
  await expect(chat.getByRole('tab', {name: 'Data', selected: true})).toBeVisible()
  await chat.keyboard.press('Escape')

  // what was used last comes first; a query that nothing fits says so
  await open(chat)
  await expect(palette(chat).getByRole('group', {name: 'Recent'}).getByRole('option').first()).toContainText('Data')
  await field(chat).fill('zzzz')
  await expect(palette(chat).getByRole('status')).toHaveText('Nothing matches.')
  await chat.keyboard.press('ControlOrMeta+k')
  await expect(palette(chat)).toHaveCount(0)
})

test('it has the actions of what has the focus, of the last message and of the open conversation', async ({
  chat,
  modelServer,
}) => {
  await harbour(chat, modelServer)
  await answers(chat).first().getByRole('button', {name: 'Copy'}).first().focus()
  await open(chat)
  const focused = palette(chat).getByRole('group', {name: 'In focus'})
  await expect(focused.getByRole('option', {name: /^Edit/})).toBeVisible()
  await expect(palette(chat).getByRole('group', {name: 'Last message'}).getByRole('option').first()).toBeVisible()
  await field(chat).fill('rename')
  await palette(chat)
    .getByRole('group', {name: 'This conversation'})
    .getByRole('option', {name: /^Rename/})
    .click()
  await expect(chat.getByRole('textbox', {name: 'Title of the conversation'})).toBeFocused()
  await chat.keyboard.press('Escape')
  await run(chat, 'message field', 'Go to the message field')
  await expect(composer(chat)).toBeFocused()
})

test(
  'opened from the message field it begins with a command of the page, and it leads to shared links',
  long,
  async ({chat, modelServer}) => {
    await harbour(chat, modelServer)
    await composer(chat).focus()
    await open(chat)
    await expect(options(chat).first()).toContainText('New chat')
    await expect(palette(chat).getByRole('option', {name: 'Attach files'})).toHaveCount(0)
    await chat.keyboard.press('Escape')
    await run(chat, 'shared links', /^Shared links/)
    await expect(chat).toHaveURL(/\/profile#shares$/)
    await expect(chat.getByRole('heading', {name: 'Shared links'})).toBeInViewport()
    await open(chat)
    // this page has no panel
    await expect(options(chat).filter({hasText: 'Show or hide the panel'})).toHaveCount(0)
    await chat.keyboard.press('Escape')
    await run(chat, 'settings data', /Data$/)
    const settings = chat.getByRole('dialog')
    await expect(settings.getByRole('heading', {name: 'Shared links'})).toBeVisible()
    await expect(settings.getByText('No conversation is shared. Share one from its menu.')).toBeVisible()
  },
)

test('in another language commands are found by its words and by English ones', long, async ({chat, installation}) => {
  await chat.context().addCookies([{name: 'LOCALE', value: 'de', url: installation.url}])
  await chat.reload()
  await opened(chat)
  for (const words of ['einstellungen tasten', 'settings keys']) {
    await chat.keyboard.press('ControlOrMeta+k')
    const dialog = chat.getByRole('dialog', {name: 'Suche und Befehle'})
    await dialog.getByRole('combobox').fill(words)
    await expect(dialog.getByRole('option').first()).toHaveText(/Einstellungen: Tasten/)
    await chat.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
})

test(
  'in another language the actions of a message, of a conversation and the models are found by English words',
  long,
  async ({chat, installation, modelServer}) => {
    await chat.context().addCookies([{name: 'LOCALE', value: 'de', url: installation.url}])
    await chat.reload()
    await opened(chat)
    await harbour(chat, modelServer)
    await chat.keyboard.press('ControlOrMeta+k')
    const dialog = chat.getByRole('dialog', {name: 'Suche und Befehle'})
    const found = async (words: string, group: string, name: string) => {
      await dialog.getByRole('combobox').fill(words)
      await expect(dialog.getByRole('group', {name: group}).getByRole('option', {name}).first()).toBeVisible()
    }
    await found('answer again', 'Letzte Nachricht', 'Neu antworten')
    await found('rename', 'Diese Unterhaltung', 'Umbenennen')
    await found('sandbox no model', 'Modelle', 'Sandbox')
  },
)

test(
  'in another language the actions of a task are found by English words, those of one tool alone too',
  long,
  async ({tab: chat, installation}) => {
    await openTool(chat, '/midjourney')
    await generate(chat, 'a red boat')
    const card = cards(chat).first()
    await made(card.locator('img').first())
    await chat.context().addCookies([{name: 'LOCALE', value: 'de', url: installation.url}])
    await chat.reload()
    await made(card.locator('img').first())
    await card.focus()
    await chat.keyboard.press('ControlOrMeta+k')
    const dialog = chat.getByRole('dialog', {name: 'Suche und Befehle'})
    const found = async (words: string, name: string) => {
      await dialog.getByRole('combobox').fill(words)
      await expect(dialog.getByRole('group', {name: 'Im Fokus'}).getByRole('option', {name}).first()).toBeVisible()
    }
    await found('what happened', 'Was geschehen ist')
    await found('variations of bottom left', 'Unten links variieren')
  },
)

test(
  'the title of the tab counts answers that ended unseen, and a click in the settings alone asks to notify',
  long,
  async ({chat, context, modelServer}) => {
    await chat.addInitScript(() => {
      const requests: unknown[] = []
      Object.assign(globalThis, {asked: 0, requests})
      Notification.requestPermission = async () => {
        Object.assign(globalThis, {asked: 1})
        return 'denied'
      }
    })
    await chat.reload()
    await opened(chat)
    const asked = () => chat.evaluate(() => (globalThis as {asked?: number}).asked)
    modelServer.answer('At six.')
    modelServer.hold(1)
    await ask(chat, 'When does the harbour open?')
    await expect(chat).toHaveTitle(/^\(1\) /)
    // what follows ends is there a few seconds after the page
    await expect(chat.locator('link[rel="manifest"]')).toBeAttached()
    await lookAt(chat, false)
    modelServer.release()
    await ended(chat)
    await expect(chat).toHaveTitle(/^\(1\) /)
    await lookAt(chat, true)
    await expect(chat).not.toHaveTitle(/^\(/)
    expect(await asked()).toBe(0)

    await chat.getByRole('button', {name: 'Account'}).click()
    await chat.getByRole('menuitem', {name: 'Settings'}).click()
    const notify = chat.getByRole('switch', {name: 'Notify me in the background'})
    await notify.click()
    expect(await asked()).toBe(1)
    await expect(chat.getByText('Your browser blocks notifications of this site.')).toBeVisible()
    await expect(notify).not.toBeChecked()
    await context.grantPermissions(['notifications'])
  },
)

test('clearing the device signs out and leaves nothing of the user', long, async ({chat, modelServer}) => {
  await harbour(chat, modelServer)
  await chat.getByRole('button', {name: 'Account'}).click()
  await chat.getByRole('menuitem', {name: 'Settings'}).click()
  await chat.getByRole('tab', {name: 'Data'}).click()
  await expect(chat.getByRole('tabpanel').getByRole('link', {name: 'Profile'})).toBeVisible()
  await chat.getByRole('button', {name: 'Clear this device'}).click()
  await expect(chat.getByRole('alert')).toContainText('Drafts that were not sent are lost.')
  await chat.getByRole('alert').getByRole('button', {name: 'Clear this device'}).click()
  await expect(chat.getByLabel('Password', {exact: true})).toBeVisible()
  const left = await chat.evaluate(async () => ({
    state: localStorage.getItem('vuex') ?? '',
    keys: Object.keys(localStorage).filter((key) => key.startsWith('atrium.')),
    records: await Promise.all(
      (await indexedDB.databases()).map(
        ({name = ''}) =>
          new Promise<number>((resolve, reject) => {
            const request = indexedDB.open(name)
            request.onerror = () => reject(request.error ?? new Error(name))
            request.onsuccess = () => {
              const database = request.result
              if (!database.objectStoreNames.contains('bulk')) return resolve(0)
              const counted = database.transaction('bulk').objectStore('bulk').count()
              counted.onsuccess = () => resolve(counted.result)
            }
          }),
      ),
    ),
    caches: (await caches.keys()).length,
  }))
  expect(left.state).not.toMatch(/harbour|access/)
  expect(left.records.filter((count) => count > 0)).toEqual([])
  expect([left.keys, left.caches]).toEqual([[], 0])
})

test('the tabs of the settings look good in each look; a phone opens them from the profile', long, async ({chat}) => {
  await chat.setViewportSize({width: 390, height: 844})
  await chat.goto(new URL('/profile', chat.url()).href)
  await chat.getByRole('button', {name: 'Search and commands'}).click()
  await expect(palette(chat)).toBeVisible()
  await chat.keyboard.press('Escape')
  await chat.getByRole('button', {name: 'Settings', exact: true}).click()
  for (const tab of ['General', 'Chat', 'Appearance', 'Language', 'Keys', 'Data']) {
    await chat.getByRole('tab', {name: tab}).click()
    await expect(chat.getByRole('tab', {name: tab, selected: true})).toBeVisible()
    expect.soft(await axeFaults(chat), tab).toEqual([])
    const edges = await chat.getByRole('dialog').evaluate((dialog) => {
      const {left, right} = dialog.getBoundingClientRect()
      return [left >= 0, right <= innerWidth]
    })
    expect.soft(edges, tab).toEqual([true, true])
  }
})
