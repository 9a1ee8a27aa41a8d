import type {Page} from '@playwright/test'
import {expect} from '../fixtures.ts'

export const palette = (page: Page) => page.getByRole('dialog', {name: 'Search and commands'})

export const field = (page: Page) => palette(page).getByRole('combobox')

export const options = (page: Page) => palette(page).getByRole('option')

export const open = async (page: Page) => {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(field(page)).toBeFocused()
}

export const run = async (page: Page, words: string, first: string | RegExp) => {
  await open(page)
  await field(page).fill(words)
  await expect(options(page).first()).toContainText(first)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
}
