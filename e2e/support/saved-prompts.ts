import {expect, type Locator, type Page} from '@playwright/test'

/** Opens the settings of the chat. */
export async function openSettings(page: Page) {
  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Settings'}).click()
  const settings = page.getByRole('dialog', {name: 'Settings'})
  await settings.getByRole('tab', {name: 'Chat'}).click()
  return settings
}

/** Saves a prompt in the open settings. */
export async function addPrompt(settings: Locator, name: string, text: string): Promise<void> {
  await settings.getByRole('button', {name: 'Add a prompt'}).click()
  await settings.getByRole('textbox', {name: 'Name'}).fill(name)
  await settings.getByRole('textbox', {name: 'Text'}).fill(text)
  await settings.getByRole('group').or(settings.locator('form')).getByRole('button', {name: 'Save'}).last().click()
  await expect(settings.getByRole('group', {name})).toBeVisible()
}
