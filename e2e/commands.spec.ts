import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {answers, ended, newChat, opened} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {lookAt} from './support/look-at.ts'
import type {ModelServer} from './support/model-server.ts'

/* Around the chat: the palette, the keys, the settings, the title of the tab, notifications. */

const palette = (page: Page) => page.getByRole('dialog', {name: 'Search and commands'})
const field = (page: Page) => palette(page).getByRole('combobox')
const options = (page: Page) => palette(page).getByRole('option')

const open = async (page: Page) => {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(field(page)).toBeFocused()
}
const run = async (page: Page, words: string, first: string | RegExp) => {
  await open(page)
  await field(page).fill(words)
  await expect(options(page).first()).toContainText(first)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
}

/** Presses Option+E as a Mac gives it: the beginning of an accent, with the key code of a composition. */
const pressDeadE = (page: Page) =>
  page.evaluate(() =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', {
        ...{key: 'Dead', code: 'KeyE', keyCode: 229, altKey: true},
        ...{bubbles: true, cancelable: true},
      }),
    ),
  )

test('on a Mac a dead key with Option can be the keys of a command', async ({chat}) => {
  await chat.addInitScript(() => Object.defineProperty(navigator, 'platform', {get: () => 'MacIntel'}))
  await chat.reload()
  await opened(chat)
  await composer(chat).blur()
  await chat.keyboard.press('?')
  const sheet = chat.getByRole('dialog', {name: 'Keyboard shortcuts'})
  const keys = sheet.getByRole('button', {name: 'Change the keys of “Search and commands”'})
  await keys.click()
  await expect(sheet.getByRole('status')).toHaveText('Press the new keys. Esc keeps the old ones.')
  await pressDeadE(chat)
  await expect(keys).toHaveText('⌥ E')
  await chat.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await composer(chat).focus()
  await pressDeadE(chat)
  await expect(field(chat)).toBeFocused()
})

/** An answer about the harbour is on screen. */
const harbour = async (chat: Page, modelServer: ModelServer) => {
  modelServer.answer('At six.')
  await ask(chat, 'When does the harbour open?')
  await ended(chat)
}

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

test('opened from the message field it begins with a command of the page, and it leads to shared links', async ({
  chat,
  modelServer,
}) => {
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
})

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

test('keys are listed by ?, changed, refused with the reason, and reset', async ({chat}) => {
  await opened(chat)
  await composer(chat).fill('what?')
  await chat.keyboard.press('?')
  await expect(composer(chat)).toHaveValue('what??')
  await chat.getByRole('main').click({position: {x: 5, y: 5}})
  await composer(chat).blur()
  await chat.keyboard.press('?')
  const sheet = chat.getByRole('dialog', {name: 'Keyboard shortcuts'})
  const change = sheet.getByRole('button', {name: /^Change the keys of “Search and commands”/})
  await change.click()
  await expect(sheet.getByRole('status')).toContainText('Press the new keys.')
  await chat.keyboard.press('ControlOrMeta+Shift+o')
  await expect(sheet.getByRole('status')).toContainText('belongs to “New chat”')
  await chat.keyboard.press('ControlOrMeta+t')
  await expect(sheet.getByRole('status')).toContainText('belongs to the browser')
  await chat.keyboard.press('ControlOrMeta+e')
  await expect(change).toHaveAccessibleName(/Ctrl E$/)
  await chat.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await chat.reload()
  await opened(chat)
  await chat.keyboard.press('ControlOrMeta+e')
  await expect(field(chat)).toBeFocused()
  await field(chat).fill('shortcuts')
  await chat.keyboard.press('Enter')
  await sheet.getByRole('button', {name: 'Reset all keys'}).click()
  await sheet.getByRole('switch', {name: 'Single-key shortcuts'}).uncheck()
  await chat.keyboard.press('Escape')
  await open(chat)
  await chat.keyboard.press('Escape')
  await composer(chat).blur()
  await chat.keyboard.press('?')
  await expect(sheet).toHaveCount(0)
})

test('on a phone the list of keys is a page whose title stays while it scrolls', async ({chat}) => {
  await chat.setViewportSize({width: 390, height: 600})
  await opened(chat)
  await composer(chat).blur()
  await chat.keyboard.press('?')
  const sheet = chat.getByRole('dialog', {name: 'Keyboard shortcuts'})
  await expect.poll(() => sheet.boundingBox()).toEqual({x: 0, y: 0, width: 390, height: 600})
  const last = sheet.getByText('Go to the notifications')
  await expect(last).not.toBeInViewport()
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
  await expect(sheet.getByRole('heading', {name: 'Keyboard shortcuts'})).toBeInViewport()
})

test('the title of the tab counts answers that ended unseen, and a click in the settings alone asks to notify', async ({
  chat,
  context,
  modelServer,
}) => {
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
})

test('clearing the device signs out and leaves nothing of the user', async ({chat, modelServer}) => {
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

for (const [name, layer] of [
  ['the palette', 'ControlOrMeta+k'],
  ['the list of keys', '?'],
] as const) {
  test(`${name} looks good in each look`, long, async ({chat}) => {
    await expectGoodLooks(chat, async () => {
      await opened(chat)
      await composer(chat).blur()
      await chat.keyboard.press(layer)
      await chat.getByRole('dialog').waitFor()
      // away from the button that closes it, whose tooltip stands outside of the dialog
      if (layer === '?') await chat.keyboard.press('Tab')
    })
  })
}

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
