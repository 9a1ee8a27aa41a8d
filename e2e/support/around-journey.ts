import {type BrowserContext, expect, type Locator, type Page} from '@playwright/test'
import {entryOf, keptBuild} from './builds.ts'
import {answers, composer, conversationId, ended, lastMessage} from './chat-page.ts'
import type {ModelServer} from './model-server.ts'
import {goToTaskAndModel} from './palette-run.ts'
import {directionOf, expectGoodInBothThemes, startOf} from './phone.ts'
import {isTouch, press} from './press.ts'
import {chooseLanguage, chooseSendKey, chooseTab, turnOnNotices} from './settings-dialog.ts'

/*
 * Around the chat, the same on a phone and on a desktop, in any language: the palette, the keys, the settings, the
 * installed app.
 */

export const harbour = 'مواعيد الميناء'
const boat = 'قارب أحمر'

/** A user, and how they get there on their device. */
export type Around = {
  locale: string | undefined
  page: Page
  context: BrowserContext
  modelServer: ModelServer
  word: (id: string) => string
  ask: (question: string) => Promise<void>
  /** Its field has the focus then. */
  openPalette: () => Promise<void>
  closePalette: () => Promise<void>
  /** Runs what comes first in the palette. */
  runFirst: () => Promise<void>
  openSettings: () => Promise<void>
  /** Shows the list of conversations. */
  openList: () => Promise<Locator>
  makeImage: (prompt: string) => Promise<Locator>
}

const dialog = ({page}: Pick<Around, 'page'>) => page.getByRole('dialog')
// pages have such fields and options too
export const paletteField = (around: Pick<Around, 'page'>): Locator => dialog(around).getByRole('combobox')
const options = (around: Pick<Around, 'page'>) => dialog(around).getByRole('option')

/** Types in the palette and runs what comes first. */
export async function runInPalette(around: Around, words: string, first: string | RegExp): Promise<void> {
  await around.openPalette()
  await paletteField(around).fill(words)
  await expect(options(around).first()).toContainText(first)
  await around.runFirst()
  await expect(paletteField(around)).toHaveCount(0)
}

/** A conversation about the harbour is on screen; gives its address. */
export async function askOfHarbour({page, modelServer, ask}: Around): Promise<string> {
  modelServer.answer('يفتح الميناء في **السادسة**.')
  modelServer.nameBy(harbour)
  await ask('متى يفتح؟')
  await ended(page)
  await conversationId(page)
  return page.url()
}

/** The palette leads to pages, tools, conversations, tasks, models, themes, and to what was said at `address`. */
export async function usePalette(around: Around, address: string): Promise<void> {
  const {locale, page, word, makeImage} = around
  const run = (words: string, first: string | RegExp) => runInPalette(around, words, first)
  await around.openPalette()
  // the palette itself is none of them
  await expect(options(around).filter({hasText: word('index.palette')})).toHaveCount(0)
  await expectGoodInBothThemes(page, 'palette')
  await paletteField(around).fill('zzzz')
  await expect(dialog(around).getByRole('status')).toHaveText(word('index.commandNone'))
  await around.closePalette()
  await expect(paletteField(around)).toHaveCount(0)

  await run(word('index.usages'), word('index.usages'))
  await expect(page).toHaveURL(/\/console\/usages/)
  await run('orders', word('index.orders'))
  await expect(page).toHaveURL(/\/console\/orders/)
  await run('flx', /^Flux/)
  await expect(page).toHaveURL(/\/flux$/)
  await makeImage(boat)
  await run('ميناء', harbour)
  await expect(page).toHaveURL(address)
  await expect(answers(page).last()).toContainText('السادسة')
  await goToTaskAndModel(page, run, 'قرب حمر', boat)
  await run(locale === 'ar' ? 'مظهر فاتح' : 'theme light', `${word('index.themeTitle')}: ${word('index.themeLight')}`)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await run('theme system', word('index.themeSystem'))
  await around.openPalette()
  // what was used last comes first
  await expect(
    page
      .getByRole('group', {name: word('index.commandRecent')})
      .getByRole('option')
      .first(),
  ).toContainText(word('index.themeSystem'))
  await paletteField(around).fill('السادسة')
  await press(options(around).last())
  const hit = page.getByRole('link', {name: startOf(harbour)}).first()
  await expect(hit).toBeVisible()
  await press(hit)
  await expect(page).toHaveURL(new RegExp(`${new URL(address).pathname}`))
}

const keysOf = (around: Around, command: string) =>
  dialog(around).getByRole('button', {
    name: startOf(around.word('index.shortcutChange').replace('{command}', around.word(command))),
  })

/**
 * The focus has its commands; the keys of the palette are changed in the sheet, where those of another command are
 * refused.
 */
export async function useKeys(around: Around): Promise<void> {
  const {locale, page, word} = around
  const copy = answers(page)
    .last()
    .getByRole('button', {name: word('chat.copyMarkdown')})
  await copy.focus()
  await page.keyboard.press('ControlOrMeta+k')
  const focused = page.getByRole('group', {name: word('index.commandFocused')})
  await expect(focused.getByRole('option', {name: word('chat.readAloud')})).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(copy).toBeFocused()

  await runInPalette(around, locale === 'ar' ? 'اختصارات' : 'shortcuts', word('index.shortcutSheet'))
  await expect(dialog(around).getByRole('heading', {name: word('index.shortcutSheet')})).toBeVisible()
  await expectGoodInBothThemes(page, 'keys')
  const keys = keysOf(around, 'index.palette')
  await press(keys)
  await expect(dialog(around).getByRole('status')).toHaveText(word('index.shortcutPress'))
  await page.keyboard.press('ControlOrMeta+Shift+o')
  const taken = word('index.shortcutTaken').replace('{keys}', 'Ctrl ⇧ O').replace('{command}', word('index.newChat'))
  await expect(dialog(around).getByRole('status')).toHaveText(taken)
  await expectGoodInBothThemes(page, 'keys refused')
  await page.keyboard.press('ControlOrMeta+e')
  await expect(keys).toHaveAccessibleName(/Ctrl E$/)
  await press(dialog(around).getByRole('button', {name: word('common.close')}))
  await expect(dialog(around)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+e')
  await expect(paletteField(around)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(paletteField(around)).toHaveCount(0)
}

/** Every tab of the settings, each with one thing that is done there. */
export async function useSettings(around: Around): Promise<void> {
  const {locale, page, word, openSettings} = around
  const tab = (id: string) => chooseTab(page, id)
  const button = (id: string) => dialog(around).getByRole('button', {name: word(id), exact: true})
  await openSettings()

  await tab('index.settingGeneral')
  await turnOnNotices(page)

  await tab('index.chat')
  // Enter never sends on touch
  if (await isTouch(page)) await expect(dialog(around).getByRole('radio')).toHaveCount(0)
  else for (const key of ['with ctrl', 'enter'] as const) await chooseSendKey(page, key)

  await tab('index.profileAppearance')
  await press(dialog(around).getByRole('radio', {name: word('index.themeLight')}))
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  // the system is dark since the tab was looked at in both themes
  await press(dialog(around).getByRole('radio', {name: word('index.themeSystem')}))
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await tab('index.settingKeys')
  await press(keysOf(around, 'index.palette'))
  await page.keyboard.press('ControlOrMeta+e')
  await expect(keysOf(around, 'index.palette')).toHaveAccessibleName(/Ctrl E$/)
  await press(button('index.shortcutResetAll'))
  await expect(keysOf(around, 'index.palette')).toHaveAccessibleName(/Ctrl K$/)

  await tab('index.settingData')
  for (const id of ['index.settingImport', 'chat.exportAll']) await expect(button(id)).toBeVisible()
  await expect(dialog(around).getByRole('heading', {name: word('index.commandSharedLinks')})).toBeVisible()
  await press(button('index.settingDeviceClear'))
  await expect(dialog(around).getByRole('alert')).toContainText(word('index.settingDeviceConfirm'))
  await press(button('common.cancel'))

  await tab('index.language')
  const languages = [
    ['engl', 'English', 'en'],
    ['arab', 'العربية', 'ar'],
  ] as const
  // its own is the last
  for (const [query, name, code] of languages.toSorted((one) => (one[2] === locale ? 1 : -1))) {
    await chooseLanguage(page, query, name, code)
    await expect(page.locator('html')).toHaveAttribute('dir', directionOf(code))
  }
  await press(button('common.close'))
  await expect(dialog(around)).toHaveCount(0)
}

/** The app can be installed, and is there without a network, with what was read before. */
export async function useOffline({locale, page, context, word, openList}: Around, address: string, answer: string) {
  // that is there a few seconds after the page
  await expect(page.locator('link[rel="manifest"]')).toBeAttached()
  const session = await context.newCDPSession(page)
  const {data = '{}', errors} = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data)).toMatchObject({display: 'standalone', start_url: '/'})
  const {installabilityErrors} = await session.send('Page.getInstallabilityErrors')
  // a test's browser is always in private mode
  expect(installabilityErrors.map(({errorId}) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])

  await keptBuild(page, await entryOf(page))
  await context.setOffline(true)
  await page.goto(new URL('/chatgpt/conversations', address).href)
  await expect(page.locator('html')).toHaveAttribute('dir', directionOf(locale))
  await press((await openList()).getByRole('link', {name: startOf(harbour)}))
  await expect(lastMessage(page)).toContainText(answer)
  // a page that loads with the switch off is not told of it by this browser, as it would be by a real one
  await context.setOffline(false)
  await context.setOffline(true)
  await expect(page.getByText(word('index.offline'), {exact: true})).toBeVisible()
  await expect(composer(page)).toBeEnabled()
  await expectGoodInBothThemes(page, 'offline')
  await context.setOffline(false)
  await expect(page.getByText(word('index.offline'), {exact: true})).toHaveCount(0)
}
