import type {Page} from '@playwright/test'
import {composer, expect} from '../fixtures.ts'
import {conversations, row} from './chat-page.ts'

export const titles = ['Kites', 'Boats', 'Trains', 'Planes']

export const seeded = titles.map((title, index) => ({title, texts: [`About ${title}`, 'Yes.'], minutesAgo: index * 5}))

export const open = async (page: Page, url: string) => {
  await page.goto(`${url}/chatgpt/conversations`)
  await expect(composer(page)).toBeEnabled()
}

export const choose = async (page: Page, title: string, entry: string) => {
  await row(page, title).hover()
  await row(page, title)
    .getByRole('button', {name: `Actions for ${title}`})
    .click()
  await page.getByRole('menuitem', {name: entry, exact: true}).click()
}

export const show = async (page: Page, view: string) => {
  await page.getByRole('button', {name: 'Options of the list'}).click()
  await page.getByRole('menuitemradio', {name: view}).click()
}

export const listed = (page: Page) => conversations(page).getByRole('listitem').getByRole('link')
