import {expect, type Page} from '@playwright/test'

export const titleOf = (page: Page) => page.getByRole('textbox', {name: 'Title'})

/** Saves the settings of a site. */
export const save = async (page: Page) => {
  await page.getByRole('button', {name: 'Save', exact: true}).click()
  await expect(page.getByText('The site is saved.')).toBeVisible()
}
