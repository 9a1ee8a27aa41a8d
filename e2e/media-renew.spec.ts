import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {cards, generate, openTool} from './support/media-page.ts'
import {long} from './support/full-run.ts'

const viewer = (page: Page) => page.getByRole('dialog', {name: 'Viewer'})
const dialog = (page: Page) => page.getByRole('dialog', {name: 'Give this file a new address?'})
const original = async (page: Page): Promise<string> =>
  (await viewer(page).getByRole('link', {name: 'Open original'}).getAttribute('href')) ?? ''
const statusOf = async (page: Page, address: string) => (await page.request.get(address)).status()

/** Says yes to the dialog, and waits until the viewer has another address than this one. */
async function renew(page: Page, old: string): Promise<string> {
  await dialog(page).getByRole('button', {name: 'Renew address'}).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect.poll(() => original(page)).not.toBe(old)
  return original(page)
}

test('the address of a result is renewed from its menu and from the viewer', long, async ({chat: page}) => {
  await openTool(page, '/flux')
  await generate(page, 'a paper lantern')
  const card = cards(page).first()
  const open = card.getByRole('button', {name: /^Open/}).first()
  await open.click()
  const first = await original(page)
  await expect(viewer(page)).toContainText('Whoever has this address can open the file.')

  await viewer(page).getByRole('button', {name: 'Renew address'}).click()
  await dialog(page).getByRole('button', {name: 'Cancel'}).click()
  await expect(dialog(page)).toHaveCount(0)
  expect(await statusOf(page, first)).toBe(200)

  await viewer(page).getByRole('button', {name: 'Renew address'}).click()
  const second = await renew(page, first)
  expect([await statusOf(page, first), await statusOf(page, second)]).toEqual([404, 200])
  await expect(viewer(page).getByRole('img', {name: 'a paper lantern'})).toBeVisible()
  await page.keyboard.press('Escape')

  await card.hover()
  await card.getByRole('button', {name: /^More/}).click()
  await page.getByRole('menuitem', {name: /^Renew address/}).click()
  await dialog(page).getByRole('button', {name: 'Renew address'}).click()
  await expect(page.getByText('The file has a new address.').first()).toBeVisible()
  await expect(card.getByRole('img', {name: 'Result of: a paper lantern'})).toBeVisible()
  await open.click()
  await expect.poll(() => original(page)).not.toBe(second)
  const third = await original(page)
  expect([await statusOf(page, second), await statusOf(page, third)]).toEqual([404, 200])
  await expect(viewer(page).getByRole('img', {name: 'a paper lantern'})).toHaveJSProperty('complete', true)
})
