import {expect, test} from './fixtures.ts'
import {
  type Around,
  askOfHarbour,
  harbour,
  paletteField,
  useKeys,
  useOffline,
  usePalette,
  useSettings,
} from './support/around-journey.ts'
import {composer} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {anyPhone, askByTouch, generateByTouch, goTo} from './support/phone.ts'
import {allowNotices} from './support/stood-in-notices.ts'
import {expectUnseenEndNotified} from './support/unseen-end.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * Around the chat, on a phone in Arabic and in English: the palette, the keys, the settings, what ends unseen, the
 * installed app.
 */

test.use({...anyPhone, serviceWorkers: 'allow'})

test(
  'the palette, keys, settings, notices and the offline app',
  long,
  async ({chat: page, context, modelServer, locale}) => {
    await allowNotices(page)
    await page.reload()
    await composer(page).waitFor()
    const word = await wordsOf(page)
    const expectFullScreen = () =>
      expect.poll(() => page.getByRole('dialog').boundingBox()).toEqual({x: 0, y: 0, width: 390, height: 844})
    const phone: Around = {
      ...{locale, page, context, modelServer, word},
      ask: (question) => askByTouch(page, question),
      openPalette: async () => {
        await goTo(page, 'you')
        await page
          .getByRole('main')
          .getByRole('button', {name: word('index.palette')})
          .tap()
        await expect(paletteField({page})).toBeFocused()
        await expectFullScreen()
        // this page has no panel
        const toggle = page.getByRole('option').filter({hasText: word('index.commandTogglePanel')})
        await expect(toggle).toHaveCount(0)
      },
      closePalette: () =>
        page
          .getByRole('dialog')
          .getByRole('button', {name: word('common.close')})
          .tap(),
      runFirst: () => page.getByRole('dialog').getByRole('option').first().tap(),
      openSettings: async () => {
        await page
          .getByRole('main')
          .getByRole('button', {name: word('index.settings'), exact: true})
          .tap()
        await expectFullScreen()
      },
      openList: async () => {
        await page.getByRole('button', {name: word('index.panelOpen')}).tap()
        return page.getByRole('dialog')
      },
      makeImage: (prompt) => generateByTouch(page, prompt),
    }
    const address = await askOfHarbour(phone)
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
    await useOffline(phone, address, 'حتى الظهر')
  },
)
