import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {answers, conversationId, ended} from './support/chat-page.ts'
import {isAsked, reportTask, traceOf} from './support/flow-dialog.ts'
import {long} from './support/full-run.ts'
import {cards, generate, made, openTool} from './support/media-page.ts'
import {goToTaskAndModel} from './support/palette-run.ts'
import {chooseLanguage, chooseSendKey, chooseTab, turnOnNotices} from './support/settings-dialog.ts'
import {allowNotices} from './support/stood-in-notices.ts'
import {expectUnseenEndNotified} from './support/unseen-end.ts'

/* Around the chat, on a desktop in English: what the journey of the phone walks and no shorter one does. */

test.use({serviceWorkers: 'allow'})

const palette = (page: Page) => page.getByRole('dialog', {name: 'Search and commands'})
const run = async (page: Page, words: string, first: string | RegExp) => {
  await page.keyboard.press('ControlOrMeta+k')
  await palette(page).getByRole('combobox').fill(words)
  await expect(palette(page).getByRole('option').first()).toContainText(first)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
}
const openSettings = async (page: Page) => {
  await page.getByRole('button', {name: 'Account'}).click()
  await page.getByRole('menuitem', {name: 'Settings'}).click()
}
const closeSettings = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}
/** Makes an image; gives its card, with the image shown and its menu in reach. */
const make = async (page: Page, prompt: string) => {
  await openTool(page, '/flux')
  await generate(page, prompt)
  const card = cards(page).filter({hasText: prompt})
  const image = card.locator('img').first()
  await made(image)
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.complete && each.naturalWidth > 0)).toBe(true)
  await card.hover()
  return card
}

test('the palette leads to a task and to a model by the keyboard', long, async ({chat: page}) => {
  await make(page, 'a red boat')
  await page.goto(new URL('/chatgpt/conversations', page.url()).href)
  await composer(page).waitFor()
  await goToTaskAndModel(page, (words, first) => run(page, words, first), 'rd boat', 'a red boat')
})

test('the settings change the key that sends and the language, which stay', long, async ({chat: page, modelServer}) => {
  modelServer.answer('At six.')
  await openSettings(page)
  await chooseTab(page, 'index.chat')
  await chooseSendKey(page, 'with ctrl')
  await closeSettings(page)
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
  await closeSettings(page)
  await page.reload()
  await composer(page).waitFor()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.getByRole('button', {name: 'Konto'}).click()
  await page.getByRole('menuitem', {name: 'Einstellungen'}).click()
  await chooseTab(page, 'index.language')
  await chooseLanguage(page, 'engl', 'English', 'en')
  await chooseTab(page, 'index.chat')
  await chooseSendKey(page, 'enter')
  await closeSettings(page)
  await ask(page, 'And on Friday?')
  await expect(answers(page)).toHaveCount(4)
  await ended(page)
})

test(
  'an answer that ends in the background is notified, and a press on that leads to it',
  long,
  async ({chat: page, context, modelServer}) => {
    await allowNotices(page)
    await page.reload()
    await composer(page).waitFor()
    await openSettings(page)
    await chooseTab(page, 'index.settingGeneral')
    await turnOnNotices(page)
    await closeSettings(page)
    modelServer.answer('It opens at **six**.')
    modelServer.nameBy('Hours of the harbour')
    await ask(page, 'When does it open?')
    await ended(page)
    await conversationId(page)
    await expectUnseenEndNotified(
      {page, context, modelServer},
      {
        address: page.url(),
        title: 'Hours of the harbour',
        answer: ['Yes,', 'until noon.'],
        ask: () => ask(page, 'And on Friday?'),
        leave: async () => {
          await run(page, 'kli', /^Kling/)
          await expect(page).toHaveURL(/\/kling$/)
        },
      },
    )
  },
)

test('what happened to a task is copied as cURL and as JSON', long, async ({chat: page, context}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const making = page.waitForResponse(isAsked('/flux/images', 'prompt'))
  const card = await make(page, 'a red boat')
  await reportTask(page, card, 'a red boat', traceOf(await making))
})
