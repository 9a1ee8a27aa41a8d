import {readFileSync} from 'node:fs'
import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {
  alert,
  ask,
  chooseAction,
  composer,
  conversationId,
  ended,
  lastMessage,
  moreActions,
} from './support/chat-page.ts'
import {copied} from './support/clipboard.ts'
import {some, long} from './support/full-run.ts'
import {expectGoodInBothThemes} from './support/phone.ts'

/* How an answer came about: its model, times, tokens, cost and trace. */

const openDetails = async (page: Page, name = 'Details', more = 'More actions') => {
  await lastMessage(page).getByRole('button', {name: more, exact: true}).click()
  await page.getByRole('menuitem', {name, exact: true}).click()
  await page.getByRole('dialog', {name}).getByRole('definition').first().waitFor()
}

test(
  'an answer tells its model, time, tokens, cost and trace, also after a reload',
  long,
  async ({chat, context, modelServer}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    modelServer.answer('Some words')
    await ask(chat, 'Words?')
    await ended(chat)
    await openDetails(chat)
    const dialog = chat.getByRole('dialog', {name: 'Details'})
    await expect(dialog.getByRole('term')).toHaveText([
      'Model',
      'Asked',
      'Took',
      'Tokens, estimated',
      'Credits',
      'Trace ID',
    ])
    const shown = await dialog.getByRole('definition').allInnerTexts()
    const trace = await copied(dialog.getByRole('button', {name: 'Copy trace ID'}))
    expect(shown.at(-1)).toContain(trace)
    await chat.keyboard.press('Escape')
    await expect(moreActions(lastMessage(chat))).toBeFocused()

    await chat.reload()
    await openDetails(chat)
    expect(await dialog.getByRole('definition').allInnerTexts()).toEqual(shown)
  },
)

test('one press on model and time of an answer shows its tokens and cost', long, async ({chat, modelServer}) => {
  modelServer.answer('Some words')
  await ask(chat, 'Words?')
  await ended(chat)
  const foot = lastMessage(chat).getByRole('button', {name: /^Details/})
  await foot.click()
  const dialog = chat.getByRole('dialog', {name: 'Details'})
  await expect(dialog.getByRole('term').filter({hasText: 'Tokens'})).toBeVisible()
  await expect(dialog.getByRole('term').filter({hasText: 'Credits'})).toBeVisible()
  await chat.keyboard.press('Escape')
  await expect(foot).toBeFocused()
  expect(await axeFaults(chat)).toEqual([])
})

test('an answer that failed without a word tells its tokens, cost and error too', async ({chat, modelServer}) => {
  modelServer.fail(500, {error: {message: 'Exploded'}})
  await ask(chat, 'Words?')
  await expect(alert(chat)).toBeVisible()
  await ended(chat)
  await openDetails(chat)
  const dialog = chat.getByRole('dialog', {name: 'Details'})
  const facts = ['Model', 'Asked', 'Took', 'Tokens, estimated', 'Credits', 'Error', 'Trace ID']
  await expect(dialog.getByRole('term')).toHaveText(facts)
  await chat.keyboard.press('Escape')
  await chat.reload()
  await lastMessage(chat)
    .getByRole('button', {name: /^Details/})
    .click()
  await expect(dialog.getByRole('term')).toHaveText(facts)
})

test('details that cannot be read say so and are read again', long, async ({chat, modelServer}) => {
  modelServer.answer('Some words')
  await ask(chat, 'Words?')
  await ended(chat)
  await chat.route('**/api/v1/answers/*', (route) => route.fulfill({status: 400, json: {code: 'bad_request'}}), {
    times: 1,
  })
  await chooseAction(lastMessage(chat), 'Details')
  const dialog = chat.getByRole('dialog', {name: 'Details'})
  await expect(dialog.getByRole('alert')).toContainText("Couldn't load the details.")
  await dialog.getByRole('button', {name: 'Retry'}).click()
  await expect(dialog.getByRole('term').first()).toHaveText('Model')
})

test('an answer that was copied into a branch shows the details of its original', long, async ({chat, modelServer}) => {
  modelServer.answer('Some words')
  await ask(chat, 'Words?')
  await ended(chat)
  await openDetails(chat)
  const dialog = chat.getByRole('dialog', {name: 'Details'})
  const shown = await dialog.getByRole('definition').allInnerTexts()
  await chat.keyboard.press('Escape')
  const id = await conversationId(chat)
  await chooseAction(lastMessage(chat), 'Branch from here')
  await expect.poll(() => conversationId(chat)).not.toBe(id)
  await expect(lastMessage(chat)).toContainText('Some words')
  await openDetails(chat)
  expect(await dialog.getByRole('definition').allInnerTexts()).toEqual(shown)
  await expectGoodInBothThemes(chat, 'details of a copied answer')
})

const words = (locale: string): Record<string, {message: string}> =>
  JSON.parse(readFileSync(new URL(`../locales/${locale}/chat.json`, import.meta.url), 'utf8'))

for (const {theme, locale, width} of some([
  {theme: 'dark', locale: 'en', width: 1440},
  {theme: 'light', locale: 'ar', width: 390},
])) {
  test(
    `no fault that axe finds in the details, nothing wider than the screen (${theme}, ${locale}, ${width})`,
    long,
    async ({chat, context, modelServer}) => {
      await chat.setViewportSize({width, height: 844})
      const {origin} = new URL(chat.url())
      await context.addCookies(
        Object.entries({THEME: theme, LOCALE: locale}).map(([name, value]) => ({name, value, url: origin})),
      )
      await chat.reload()
      await composer(chat).waitFor()
      modelServer.answer('Some words')
      await ask(chat, 'Words?')
      await ended(chat)
      await openDetails(chat, words(locale)['details']?.message, words(locale)['messageActions']?.message)
      expect(await axeFaults(chat)).toEqual([])
      expect(await chat.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
    },
  )
}
