import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {composer, ended} from './support/chat-page.ts'
import {anyPhone, askByTouch} from './support/phone.ts'
import {wordsOf} from './support/words-of.ts'

/*
 * A phone with a keyboard, in Arabic and in English: the keys of the palette and of the search, whose list is in a
 * drawer.
 */

test.use(anyPhone)

const isTyping = (page: Page) =>
  page.evaluate(() => document.activeElement instanceof HTMLInputElement && document.activeElement.value)

test('the keys of the search lead into the drawer and through it, those of the palette work there too', async ({
  chat: page,
  modelServer,
}) => {
  const word = await wordsOf(page)
  modelServer.answer('Take the path along the harbour.')
  await askByTouch(page, 'Where do owls nest?')
  await ended(page)
  const drawer = page.getByRole('dialog')
  const field = drawer.getByRole('searchbox')
  await expect(drawer).toHaveCount(0)

  // the drawer opens for them, and keeps what is typed meanwhile
  await page.keyboard.press('ControlOrMeta+Shift+l')
  await page.keyboard.type('owl')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('owl')
  const hit = drawer.locator('ul[data-query="owl"]').getByRole('link')
  await expect(hit).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(hit).toBeFocused()

  // from a hit they lead back to the field
  await page.keyboard.press('ControlOrMeta+Shift+l')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('')
  await expect(drawer).toHaveCount(1)

  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', {name: word('index.palette')}).getByRole('combobox')
  await page.keyboard.type('owl')
  await expect(palette).toBeFocused()
  await expect.poll(() => isTyping(page)).toBe('owl')
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
})

test('Enter in the search opens the first hit and closes the drawer', async ({chat: page, modelServer}) => {
  modelServer.answer('Take the path along the harbour.')
  await askByTouch(page, 'Where do owls nest?')
  await ended(page)
  const address = page.url()
  await page.goto(new URL('/grok/conversations', address).href)
  await composer(page).waitFor()
  // a group without conversations has the search as well
  await page.keyboard.press('ControlOrMeta+Shift+l')
  await page.keyboard.type('owls')
  const drawer = page.getByRole('dialog')
  await expect(drawer.locator('ul[data-query="owls"]').getByRole('link')).toHaveCount(1)
  await expect(drawer.getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`^${address}`))
  await expect(drawer).toHaveCount(0)
})
