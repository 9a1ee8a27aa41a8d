import type {Page, Response} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {chooseModel, lastMessage, offeredModel} from './support/chat-page.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {askAndRead} from './support/message-versions.ts'
import {openIn} from './support/page-looks.ts'
import {blankTab, secondTab} from './support/signed-in.ts'
import {long} from './support/full-run.ts'

/* Favourite models in two browsers, the model of the next question, and the list of models on a phone. */

const open = async (page: Page) => {
  await page.locator('header').getByRole('button', {name: /GPT-5/}).click()
  await page.getByRole('grid').waitFor()
}
const isSaved = (response: Response) =>
  response.url().endsWith('/favourite-models') && response.request().method() === 'PUT'
const names = (page: Page) => page.getByRole('row').locator('[role=gridcell]:first-child bdi:first-child')

test('what is typed while the list is loading is searched for, and stands in no other field', async ({chat}) => {
  const parts = await HeldRoute.on(chat, /\/assets\/(?:models|popover-overlay)-[^/]*\.js$/)
  await composer(chat).fill('A question')
  await chat.getByRole('button', {name: 'Model: GPT-5'}).click()
  await parts.waitForOne()
  await chat.keyboard.type('all rund')
  for (const _ of 'und') await chat.keyboard.press('Backspace')
  await chat.keyboard.type('ound')
  await parts.let(goOn)
  const field = chat.getByRole('combobox', {name: 'Search models'})
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('all round')
  await chat.keyboard.press('Backspace')
  await expect(field).toHaveValue('all roun')
  await chat.keyboard.press('Escape')
  await expect(composer(chat)).toHaveValue('A question')
})

test(
  'a model that is marked in one browser is marked in another, and unmarked there for both',
  long,
  async ({chat, browser, installation, signedIn}) => {
    const star = (page: Page) => page.getByRole('button', {name: 'Favourite: GPT-4o', exact: true})
    await open(chat)
    await Promise.all([chat.waitForResponse(isSaved), star(chat).click()])
    const elsewhere = await browser.newContext()
    const other = await blankTab(elsewhere, installation.url, signedIn)
    await other.goto(chat.url())
    await open(other)
    await expect(star(other)).toHaveAttribute('aria-pressed', 'true')
    await expect(names(other).first()).toHaveText('GPT-4o')
    await Promise.all([other.waitForResponse(isSaved), star(other).click()])
    await chat.keyboard.press('Escape')
    await open(chat)
    await expect(star(chat)).toHaveAttribute('aria-pressed', 'false')
    await elsewhere.close()
  },
)

test('a model that is chosen for the next question is kept over a reload', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  const choice = (page: Page) => page.getByRole('button', {name: /^Model: /})
  await expect(choice(chat)).toHaveAccessibleName('Model: GPT-5')
  await chooseModel(chat, /^GPT-4o basic/)
  await chat.reload()
  await expect(choice(chat)).toHaveAccessibleName('Model: GPT-4o basic')
  const other = await secondTab(chat)
  await expect(choice(other)).toHaveAccessibleName('Model: GPT-4o basic')

  await askAndRead(chat, 'two')
  await expect(lastMessage(chat)).toContainText('GPT-4o basic')
})

test.describe('on a phone, in Arabic', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true})

  test('the sheet has the same', async ({tab: chat}) => {
    await openIn(chat, '/chatgpt/conversations', {theme: 'light', locale: 'ar'})
    await open(chat)
    await expect(chat.getByRole('combobox')).not.toBeFocused()
    expect(await axeFaults(chat)).toEqual([])
    const star = chat.getByRole('button', {name: /: GPT-4o$/})
    await star.tap()
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    await expect(names(chat).first()).toHaveText('GPT-4o')
    // what is found is fewer, and the field stays under the finger
    const field = chat.getByRole('combobox')
    const box = await field.boundingBox()
    await field.fill('zzzz')
    await expect(chat.getByRole('row')).toHaveCount(0)
    expect(await field.boundingBox()).toEqual(box)
    await field.fill('all-round')
    await expect(names(chat)).toHaveText(['GPT-4o'])
    expect(await field.boundingBox()).toEqual(box)
    await offeredModel(chat, /^GPT-4o/).tap()
    await expect(chat.getByRole('grid')).toHaveCount(0)
    await expect(chat.locator('header').getByRole('button', {name: /GPT-4o$/})).toBeVisible()
    expect(await chat.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
  })
})
