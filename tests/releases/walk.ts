import {expect, type BrowserContext, type Page} from '@playwright/test'
import {answers, ask, chooseAction, composer, ended, lastMessage, row} from '../../e2e/support/chat-page.ts'
import {beginPayment, buyCredits, openPackages} from '../../e2e/support/buy-credits.ts'
import {cards, generate, openTool} from '../../e2e/support/media-page.ts'
import {pixel} from '../../e2e/support/pixel.ts'

export const reader = {email: 'reader@example.test', password: 'correct horse battery'}

/**
 * Uses every page of the app as a user does, one after the other, so that each kind of request is made and each kind of
 * row written.
 */
export async function walk(context: BrowserContext, page: Page, url: string): Promise<void> {
  await register(page, url)
  await chat(page)
  await share(page)
  await settings(page)
  await media(page)
  await buyCredits(context, page)
  await openPackages(page)
  await (await beginPayment(context, page)).close()
  await lookAround(page, url)
}

async function register(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', {name: 'Create an account'}).click()
  await page.getByRole('button', {name: 'Create account'}).waitFor()
  await page.getByLabel('Email').fill(reader.email)
  await page.getByLabel('Password', {exact: true}).fill(reader.password)
  await page.getByRole('button', {name: 'Create account'}).click()
  await page.getByRole('dialog').getByRole('button', {name: 'Agree and start'}).click()
  await expect(composer(page)).toBeEnabled()
}

async function chat(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .locator('input[type="file"]')
    .setInputFiles({name: 'owl.png', mimeType: 'image/png', buffer: pixel})
  await expect(page.getByRole('main').locator('img').first()).toBeVisible()
  await ask(page, 'What eats an owl?')
  await expect(answers(page)).toHaveCount(2)
  await ended(page)
  await ask(page, '/error busy')
  await expect(page.getByRole('alert').first()).toBeVisible()
  await ended(page)
  await ask(page, 'And a mouse?')
  await ended(page)
  await lastMessage(page).getByRole('button', {name: 'More actions', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Details', exact: true}).click()
  await page.getByRole('dialog', {name: 'Details'}).getByRole('definition').first().waitFor()
  await page.keyboard.press('Escape')
  await chooseAction(lastMessage(page), /^Branch/)
  await ended(page)
  await page.reload()
  await expect(lastMessage(page)).toBeVisible()
}

async function share(page: Page): Promise<void> {
  const title = /owl/i
  const shareEntry = page.getByRole('menuitem', {name: 'Share…'})
  // the list may move under the pointer: the title of the branch arrives
  await expect(async () => {
    await row(page, title).first().hover({timeout: 2_000})
    await row(page, title)
      .first()
      .getByRole('button', {name: /^Actions for/})
      .click({timeout: 2_000})
    await shareEntry.waitFor({timeout: 2_000})
  }).toPass()
  await shareEntry.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('switch', {name: 'Show attachments'}).check()
  await dialog.getByRole('button', {name: 'Make link'}).click()
  const link = dialog.getByRole('link', {name: 'Open'}).first()
  await link.waitFor()
  const shared = await page.context().newPage()
  await shared.goto((await link.getAttribute('href')) ?? '')
  await expect(shared.getByRole('article').first()).toBeVisible()
  await shared.close()
  await page.keyboard.press('Escape')
}

async function settings(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Settings'}).click()
  const dialog = page.getByRole('dialog', {name: 'Settings'})
  await dialog.getByRole('tab', {name: 'Chat'}).click()
  await dialog.getByRole('textbox', {name: 'Instructions for the assistant'}).fill('Be brief.')
  await dialog.getByRole('button', {name: 'Save'}).click()
  await expect(dialog.getByText('Saved').first()).toBeVisible()
  await dialog.getByRole('button', {name: 'Add a prompt'}).click()
  await dialog.getByRole('textbox', {name: 'Name'}).fill('Explain')
  await dialog.getByRole('textbox', {name: 'Text'}).fill('Explain simply:')
  await dialog.locator('form').getByRole('button', {name: 'Save'}).last().click()
  await expect(dialog.getByRole('group', {name: 'Explain'})).toBeVisible()
  await page.keyboard.press('Escape')
}

async function media(page: Page): Promise<void> {
  await openTool(page, '/flux')
  await generate(page, 'A lighthouse')
  await expect(
    cards(page)
      .first()
      .getByRole('img', {name: /^Result of/}),
  ).toBeVisible()
  await generate(page, '/error busy')
  await expect(
    cards(page)
      .first()
      .getByRole('button', {name: /^(Retry|Try again)/})
      .first(),
  ).toBeVisible()
}

async function lookAround(page: Page, url: string): Promise<void> {
  const paths = ['/console/applications', '/console/usages', '/console/orders', '/profile', '/site']
  for (const path of [...paths, '/distribution', '/distribution/history', '/distribution/invitees']) {
    await page.goto(url + path)
    await expect(page.getByRole('heading', {level: 1}).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  await page.goto(`${url}/console/applications`)
  await page
    .getByRole('table')
    .getByRole('button', {name: /^More for/})
    .first()
    .click()
  await page.getByRole('menuitem', {name: 'API keys'}).click()
  await page.getByRole('button', {name: 'Create key'}).first().click()
  await page.getByRole('dialog').getByRole('button', {name: 'Create key'}).click()
  await page.getByRole('dialog', {name: 'Your new key'}).getByRole('button', {name: 'Done'}).click()
}
