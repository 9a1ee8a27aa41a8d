import type {BrowserContext, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {entryOf, keptBuild} from './support/builds.ts'
import {answers, composer, conversationId, ended, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import type {ModelServer} from './support/model-server.ts'
import {goToTaskAndModel} from './support/palette-run.ts'
import {
  anyPhone,
  askByTouch,
  directionOf,
  expectGoodInBothThemes,
  generateByTouch,
  goTo,
  startOf,
} from './support/phone.ts'
import {chooseLanguage, chooseSendKey, chooseTab, turnOnNotices} from './support/settings-dialog.ts'
import {allowNotices} from './support/stood-in-notices.ts'
import {expectUnseenEndNotified} from './support/unseen-end.ts'
import {wordsOf} from './support/words-of.ts'

/* Around the chat, on a phone in Arabic and in English: the palette, the keys, the settings, what ends unseen, the installed app. */

test.use({...anyPhone, serviceWorkers: 'allow'})

type Phone = {
  locale: string | undefined
  page: Page
  context: BrowserContext
  modelServer: ModelServer
  word: (id: string) => string
}

const harbour = 'مواعيد الميناء'
const boat = 'قارب أحمر'

const dialog = ({page}: Phone) => page.getByRole('dialog')
// pages have such fields too
const field = (phone: Phone) => dialog(phone).getByRole('combobox')
const options = ({page}: Phone) => page.getByRole('option')

const openPalette = async (phone: Phone) => {
  const {page, word} = phone
  await goTo(page, 'you')
  await page
    .getByRole('main')
    .getByRole('button', {name: word('index.palette')})
    .tap()
  await expect(field(phone)).toBeFocused()
}
/** Types in the palette and taps what comes first. */
const run = async (phone: Phone, words: string, first: string | RegExp) => {
  await openPalette(phone)
  await field(phone).fill(words)
  await expect(options(phone).first()).toContainText(first)
  await options(phone).first().tap()
  await expect(field(phone)).toHaveCount(0)
}

async function usePalette(phone: Phone, address: string) {
  const {page, word} = phone
  await openPalette(phone)
  await expect.poll(() => dialog(phone).boundingBox()).toEqual({x: 0, y: 0, width: 390, height: 844})
  // neither what this page has not, nor the palette itself
  await expect(options(phone).filter({hasText: word('index.commandTogglePanel')})).toHaveCount(0)
  await expect(options(phone).filter({hasText: word('index.palette')})).toHaveCount(0)
  await expectGoodInBothThemes(page, 'palette')
  await field(phone).fill('zzzz')
  await expect(dialog(phone).getByRole('status')).toHaveText(word('index.commandNone'))
  await dialog(phone)
    .getByRole('button', {name: word('common.close')})
    .tap()
  await expect(field(phone)).toHaveCount(0)

  await run(phone, word('index.usages'), word('index.usages'))
  await expect(page).toHaveURL(/\/console\/usages/)
  await run(phone, 'orders', word('index.orders'))
  await expect(page).toHaveURL(/\/console\/orders/)
  await run(phone, 'flx', /^Flux/)
  await expect(page).toHaveURL(/\/flux$/)
  await generateByTouch(page, boat)
  await run(phone, 'ميناء', harbour)
  await expect(page).toHaveURL(address)
  await expect(answers(page).last()).toContainText('السادسة')
  await goToTaskAndModel(page, (words, first) => run(phone, words, first), 'قرب حمر', boat)
  await run(
    phone,
    phone.locale === 'ar' ? 'مظهر فاتح' : 'theme light',
    `${word('index.themeTitle')}: ${word('index.themeLight')}`,
  )
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await run(phone, 'theme system', word('index.themeSystem'))
  await openPalette(phone)
  // what was used last comes first
  await expect(
    page
      .getByRole('group', {name: word('index.commandRecent')})
      .getByRole('option')
      .first(),
  ).toContainText(word('index.themeSystem'))
  await field(phone).fill('السادسة')
  await options(phone).last().tap()
  await expect(
    dialog(phone)
      .getByRole('link', {name: startOf(harbour)})
      .first(),
  ).toBeVisible()
  await dialog(phone)
    .getByRole('link', {name: startOf(harbour)})
    .first()
    .tap()
  await expect(page).toHaveURL(new RegExp(`${new URL(address).pathname}`))
}

/** A keyboard at the phone: the focus has its commands, and keys are changed. */
async function useKeys(phone: Phone) {
  const {page, word} = phone
  const copy = answers(page)
    .last()
    .getByRole('button', {name: word('chat.copyMarkdown')})
  await copy.focus()
  await page.keyboard.press('ControlOrMeta+k')
  const focused = page.getByRole('group', {name: word('index.commandFocused')})
  await expect(focused.getByRole('option', {name: word('chat.readAloud')})).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(copy).toBeFocused()

  await run(phone, phone.locale === 'ar' ? 'اختصارات' : 'shortcuts', word('index.shortcutSheet'))
  await expect(dialog(phone).getByRole('heading', {name: word('index.shortcutSheet')})).toBeVisible()
  await expectGoodInBothThemes(page, 'keys')
  const name = word('index.shortcutChange').replace('{command}', word('index.palette'))
  const keys = dialog(phone).getByRole('button', {name: startOf(name)})
  await keys.tap()
  await expect(dialog(phone).getByRole('status')).toHaveText(word('index.shortcutPress'))
  await page.keyboard.press('ControlOrMeta+Shift+o')
  const taken = word('index.shortcutTaken').replace('{keys}', 'Ctrl ⇧ O').replace('{command}', word('index.newChat'))
  await expect(dialog(phone).getByRole('status')).toHaveText(taken)
  await expectGoodInBothThemes(page, 'keys refused')
  await page.keyboard.press('ControlOrMeta+e')
  await expect(keys).toHaveAccessibleName(/Ctrl E$/)
  await dialog(phone)
    .getByRole('button', {name: word('common.close')})
    .tap()
  await expect(dialog(phone)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+e')
  await expect(field(phone)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field(phone)).toHaveCount(0)
}

async function useSettings(phone: Phone) {
  const {locale, page, word} = phone
  const tab = (id: string) => chooseTab(page, id)
  const button = (id: string) => dialog(phone).getByRole('button', {name: word(id), exact: true})
  await page
    .getByRole('main')
    .getByRole('button', {name: word('index.settings'), exact: true})
    .tap()
  await expect.poll(() => dialog(phone).boundingBox()).toEqual({x: 0, y: 0, width: 390, height: 844})

  await tab('index.settingGeneral')
  await turnOnNotices(page)

  await tab('index.chat')
  await chooseSendKey(page, 'with ctrl')
  await chooseSendKey(page, 'enter')

  await tab('index.profileAppearance')
  await dialog(phone)
    .getByRole('radio', {name: word('index.themeLight')})
    .tap()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await dialog(phone)
    .getByRole('radio', {name: word('index.themeSystem')})
    .tap()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await tab('index.settingKeys')
  await button('index.shortcutResetAll').tap()
  const name = word('index.shortcutChange').replace('{command}', word('index.palette'))
  await expect(dialog(phone).getByRole('button', {name: startOf(name)})).toHaveAccessibleName(/Ctrl K$/)

  await tab('index.settingData')
  for (const id of ['index.settingImport', 'chat.exportAll']) await expect(button(id)).toBeVisible()
  await expect(dialog(phone).getByRole('link', {name: word('index.commandSharedLinks')})).toBeVisible()
  await button('index.settingDeviceClear').tap()
  await expect(dialog(phone).getByRole('alert')).toContainText(word('index.settingDeviceConfirm'))
  await button('common.cancel').tap()

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
  await button('common.close').tap()
  await expect(dialog(phone)).toHaveCount(0)
}

/** The app is there without a network, with what was read before. */
async function useOffline({locale, page, context, word}: Phone, address: string) {
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
  await page.getByRole('button', {name: word('index.panelOpen')}).tap()
  await page
    .getByRole('dialog')
    .getByRole('link', {name: startOf(harbour)})
    .tap()
  await expect(lastMessage(page)).toContainText('حتى الظهر')
  // a page that loads with the switch off is not told of it by this browser, as it would be by a real one
  await context.setOffline(false)
  await context.setOffline(true)
  await expect(page.getByText(word('index.offline'), {exact: true})).toBeVisible()
  await expect(composer(page)).toBeEnabled()
  await expectGoodInBothThemes(page, 'offline')
  await context.setOffline(false)
  await expect(page.getByText(word('index.offline'), {exact: true})).toHaveCount(0)
}

test(
  'the palette, keys, settings, notices and the offline app',
  long,
  async ({chat: page, context, modelServer, locale}) => {
    await allowNotices(page)
    await page.reload()
    await composer(page).waitFor()
    const phone: Phone = {locale, page, context, modelServer, word: await wordsOf(page)}
    modelServer.answer('يفتح الميناء في **السادسة**.')
    modelServer.nameBy(harbour)
    await askByTouch(page, 'متى يفتح؟')
    await ended(page)
    await conversationId(page)
    const address = page.url()
    await usePalette(phone, address)
    await useKeys(phone)
    await useSettings(phone)
    await expectUnseenEndNotified(phone, {
      address,
      title: harbour,
      answer: ['نعم،', 'حتى الظهر.'],
      ask: () => askByTouch(page, 'وفي الجمعة؟'),
      leave: () => goTo(page, 'you'),
    })
    await useOffline(phone, address)
  },
)
