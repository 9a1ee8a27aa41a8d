import type {Page} from '@playwright/test'
import {answers, ask, composer, expect, newUser, test, type User} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {conversationId, lastMessage, stopAnswer} from './support/chat-page.ts'
import {isFull} from './support/full-run.ts'
import {cards} from './support/media-page.ts'
import {numbered} from './support/texts.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * Journeys in words of no language, or of the page's own: they run on both widths and in both directions of writing,
 * where the other specs, which speak English to a desktop, do not.
 */

// the full run has a project for each
if (!isFull) test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, locale: 'ar'})

const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 600
/** A message with a value behind its words, as the beginning of a name. */
const startOf = (message: string) => new RegExp(`^${message.replace(/\{.*/s, '')}`)

/** Enter is a line break on touch: there the button sends. */
async function send(page: Page, question: string): Promise<void> {
  await ask(page, question)
  const unsent = await composer(page).inputValue()
  if (unsent.trim() !== '') await page.locator('main form button').last().click()
}

/** Fills the form of the login or the registration page in any language, by the names of its fields, and sends it. */
async function enterByName(page: Page, {email, password}: User): Promise<void> {
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(password)
  await page.locator('form button[type="submit"]').last().click()
}

test('register, accept and ask, whatever the language and the width', async ({page, installation, modelServer}) => {
  const user = newUser()
  modelServer.reset()
  modelServer.answer('An answer that ends here.')
  await page.goto(installation.url)
  await page.locator('a[href*="register"]').click()
  // the page before has an email field too
  await page.waitForURL(/\/auth\/register\?/)
  await enterByName(page, user)
  await page.getByRole('dialog').getByRole('button').last().click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await composer(page).waitFor()

  await send(page, 'foo')
  await expect(answers(page).last()).toContainText('that ends here.')

  const {lang, dir, overflow} = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    dir: document.documentElement.dir,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))
  expect(dir).toBe(lang === 'ar' ? 'rtl' : 'ltr')
  expect(overflow).toBe(0)
  expect(await axeFaults(page)).toEqual([])
})

test('sign in, ask, stop, retry, and find it in the list', async ({page, installation, signedIn, modelServer}) => {
  const {user} = signedIn
  modelServer.reset()
  modelServer.answer(numbered(20))
  modelServer.hold(3)
  await page.goto(installation.url)
  await enterByName(page, user)
  await composer(page).waitFor()
  const word = await wordsOf(page)

  await send(page, 'foo')
  await expect(lastMessage(page)).toContainText('word3')
  await stopAnswer(page, () => page.getByRole('button', {name: word('chat.stop'), exact: true}).click())
  await expect(lastMessage(page)).toContainText(word('chat.stopped'))
  modelServer.release()
  modelServer.answer('whole again')
  await lastMessage(page)
    .getByRole('button', {name: word('common.retry'), exact: true})
    .click()
  await expect(lastMessage(page)).toContainText('whole again')
  await expect(answers(page)).toHaveCount(2)

  const id = await conversationId(page)
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await composer(page).waitFor()
  if (isNarrow(page)) await page.getByRole('button', {name: word('index.panelOpen'), exact: true}).click()
  await page.getByRole('listitem').locator(`a[href$="${id}"]`).click()
  await expect(lastMessage(page)).toContainText('whole again')
})

test.describe('of a user with no other tasks', () => {
  test('an image is made and is really there', async ({chat: page}) => {
    const prompt = `foo ${Date.now()}`
    await page.goto(new URL('/flux', page.url()).href)
    await page.getByRole('main').waitFor()
    const word = await wordsOf(page)
    if (isNarrow(page))
      await page
        .getByRole('main')
        .getByRole('button', {name: startOf(word('common.mediaSettings'))})
        .click()
    const form = isNarrow(page) ? page.getByRole('dialog') : page.getByRole('form')
    await form.getByRole('textbox').first().fill(prompt)
    await form.getByRole('button', {name: startOf(word('common.mediaGenerate'))}).click()
    const card = cards(page).first()
    await card
      .getByRole('button', {name: startOf(word('common.mediaOpenOf'))})
      .first()
      .waitFor()
    const image = card.locator('img').first()
    await expect
      .poll(() => image.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
      .toBe(true)
  })
})
