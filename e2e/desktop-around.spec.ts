import {ask, composer, expect, test} from './fixtures.ts'
import {
  type Around,
  askOfHarbour,
  harbour,
  paletteField,
  runInPalette,
  useKeys,
  useOffline,
  usePalette,
  useSettings,
} from './support/around-journey.ts'
import {answers, ended} from './support/chat-page.ts'
import {makeImage, openSettings} from './support/desktop-pages.ts'
import {anyDesktop} from './support/desktop.ts'
import {long} from './support/full-run.ts'
import {directionOf, expectGoodInBothThemes} from './support/phone.ts'
import {chooseLanguage, chooseSendKey, chooseTab} from './support/settings-dialog.ts'
import {allowNotices} from './support/stood-in-notices.ts'
import {expectUnseenEndNotified} from './support/unseen-end.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * Around the chat, on a desktop in English or Arabic: the palette, the keys, the settings, what ends unseen, the
 * installed app.
 */

const journey = test.extend<{around: Around}>({
  around: async ({chat: page, context, modelServer, locale}, give) => {
    await allowNotices(page)
    await page.reload()
    await composer(page).waitFor()
    const word = await wordsOf(page)
    await give({
      ...{locale, page, context, modelServer, word},
      ask: (question) => ask(page, question),
      openPalette: async () => {
        await page.keyboard.press('ControlOrMeta+k')
        await expect(paletteField({page})).toBeFocused()
      },
      closePalette: () => page.keyboard.press('Escape'),
      runFirst: () => page.keyboard.press('Enter'),
      openSettings: () => openSettings(page),
      openList: async () => page.getByRole('navigation', {name: word('chat.conversations')}),
      makeImage: (prompt) => makeImage(page, prompt),
    })
  },
})

journey.use({...anyDesktop, serviceWorkers: 'allow'})

journey('the palette leads everywhere by the keyboard', long, async ({around}) => {
  await usePalette(around, await askOfHarbour(around))
})

journey('keys are listed, changed and reset; what was read is there offline', long, async ({around}) => {
  const {page, word} = around
  const address = await askOfHarbour(around)
  await composer(page).blur()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', {name: word('index.shortcutSheet')})
  await expect(sheet).toBeVisible()
  // the title stays while it scrolls
  const last = sheet.getByRole('listitem').last()
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
  await expect(sheet.getByRole('heading', {name: word('index.shortcutSheet')})).toBeInViewport({ratio: 1})
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await useKeys(around)
  await page.reload()
  await composer(page).waitFor()
  await page.keyboard.press('ControlOrMeta+e')
  await expect(paletteField(around)).toBeFocused()
  await page.keyboard.press('Escape')
  await useOffline(around, address, 'السادسة')
})

journey(
  'the settings have all their tabs, by the arrow keys too, and what they change stays',
  long,
  async ({around}) => {
    const {page, word, modelServer, locale} = around
    modelServer.answer('At six.')
    await openSettings(page)
    // the arrow that points onwards leads onwards
    const tab = (id: string) => page.getByRole('tab', {name: word(id), exact: true})
    await tab('index.settingGeneral').press(directionOf(locale) === 'rtl' ? 'ArrowLeft' : 'ArrowRight')
    await expect(tab('index.chat')).toBeFocused()
    await expect(tab('index.chat')).toHaveAttribute('aria-selected', 'true')
    await chooseTab(page, 'index.chat')
    const instructions = page.getByRole('textbox', {name: word('chat.instructions')})
    await instructions.fill('word '.repeat(2_000))
    const fault = page.getByRole('tabpanel').getByRole('alert')
    const red = await instructions.evaluate((field) => getComputedStyle(field).borderBlockEndColor)
    await expect(fault).toHaveCSS('color', red)
    await expectGoodInBothThemes(page, 'instructions that are too long')
    await instructions.fill('')
    await expect(fault).toHaveCount(0)
    await chooseSendKey(page, 'with ctrl')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.reload()
    await composer(page).fill('When does it')
    await composer(page).press('Enter')
    await composer(page).pressSequentially('open?')
    await expect(composer(page)).toHaveValue('When does it\nopen?')
    await expect(answers(page)).toHaveCount(0)
    await composer(page).press('ControlOrMeta+Enter')
    await expect(answers(page).last()).toContainText('At six.')
    await ended(page)

    await openSettings(page)
    await chooseTab(page, 'index.language')
    await chooseLanguage(page, 'germ', 'Deutsch', 'de')
    await page.keyboard.press('Escape')
    await page.reload()
    await composer(page).waitFor()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await openSettings(page)
    await chooseTab(page, 'index.language')
    if (locale === 'ar') await chooseLanguage(page, 'arab', 'العربية', 'ar')
    else await chooseLanguage(page, 'engl', 'English', 'en')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await useSettings(around)
    await ask(page, 'And on Friday?')
    await expect(answers(page)).toHaveCount(4)
    await ended(page)
  },
)

journey(
  'an answer that ends in the background is notified, and a press on that leads to it',
  long,
  async ({around}) => {
    const {page, word} = around
    const address = await askOfHarbour(around)
    await openSettings(page)
    await page.getByRole('switch', {name: word('index.settingNotify')}).click()
    await expect(page.getByRole('switch', {name: word('index.settingNotify')})).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expectUnseenEndNotified(around, {
      address,
      title: harbour,
      answer: ['نعم،', 'حتى الظهر.'],
      ask: () => ask(page, 'وفي الجمعة؟'),
      leave: async () => {
        await runInPalette(around, 'kli', /^Kling/)
        await expect(page).toHaveURL(/\/kling$/)
      },
    })
  },
)
