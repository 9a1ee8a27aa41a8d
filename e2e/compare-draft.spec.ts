import type {Page} from '@playwright/test'
import {expect} from './fixtures.ts'
import {composer} from './support/chat-page.ts'
import {column, headOf, openPage, test} from './support/compare-page.ts'
import {HeldRoute} from './support/held-route.ts'
import {long} from './support/full-run.ts'
import {pixel} from './support/pixel.ts'

/* The words of a chat in a comparison that is begun from it, and the way back to a comparison that was left. */

const question = 'Which way to the market of Lucca?'

/* The page before is there for a moment after the address is the next one's: its field would take what is typed. */

async function atUnasked(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/compare$/)
  await expect(page.getByText('2 of 4 chosen')).toBeVisible()
}

async function atChat(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/chatgpt\/conversations$/)
  await expect(page.getByRole('button', {name: /^Model: /})).toBeVisible()
}

async function askSeveral(page: Page): Promise<void> {
  await page.getByRole('button', {name: /^Model: /}).click()
  await page.getByRole('button', {name: 'Ask several models…'}).click()
  await atUnasked(page)
}

test('words and files of a chat are in a comparison and by Back in the chat again, and once asked in neither', async ({
  context,
  groups,
}) => {
  const page = await openPage(context, groups, '/chatgpt/conversations')
  await composer(page).fill(question)
  await page.locator('input[type=file]').setInputFiles({name: 'map.png', mimeType: 'image/png', buffer: pixel})
  const file = page.getByRole('button', {name: 'Remove map.png'})
  await expect(file).toBeVisible()
  await askSeveral(page)
  await expect(composer(page)).toHaveValue(question)
  await expect(file).toBeVisible()
  await page.goBack()
  await atChat(page)
  await expect(composer(page)).toHaveValue(question)
  await expect(file).toBeVisible()

  // what is typed there comes back as well, and goes forward again
  await composer(page).fill(`${question} On foot?`)
  await page.goForward()
  await atUnasked(page)
  await expect(composer(page)).toHaveValue(`${question} On foot?`)
  await composer(page).fill('On foot?')
  await page.reload()
  await expect(composer(page)).toHaveValue('On foot?')
  await file.click()
  await page.goBack()
  await expect(composer(page)).toHaveValue('On foot?')
  await expect(file).toHaveCount(0)

  await page.goForward()
  await atUnasked(page)
  await expect(page.getByRole('button', {name: 'Send', exact: true})).toBeEnabled()
  await composer(page).press('Enter')
  for (const model of ['GPT-5', 'DeepSeek V3']) await expect(headOf(column(page, model))).toContainText('Answer ready')
  await expect(composer(page)).toHaveValue('')
  await page.goBack()
  await atUnasked(page)
  await expect(composer(page)).toHaveValue('')
  await page.goBack()
  await atChat(page)
  await expect(composer(page)).toHaveValue('')
})

test('Enter while the page of several models is loaded asks nothing in the chat: the question goes along', async ({
  context,
  groups,
}) => {
  const page = await openPage(context, groups, '/chatgpt/conversations')
  await composer(page).fill(question)
  await page.getByRole('button', {name: /^Model: /}).click()
  const item = page.getByRole('button', {name: 'Ask several models…'})
  await expect(item).toBeVisible()
  const scripts = await HeldRoute.on(page, '**/assets/*.js')
  // within the moment in which the chat stays
  await item.evaluate((element: HTMLElement) => element.click())
  await composer(page).focus()
  await page.keyboard.press('Enter')
  await scripts.let((route) => route.continue())
  await atUnasked(page)
  await expect(composer(page)).toHaveValue(question)
})

test(
  'the way to the chat leads back to the comparison that was left, until a conversation was open',
  long,
  async ({context, groups}) => {
    const page = await openPage(context, groups, '/chatgpt/conversations')
    const chat = page.getByRole('navigation', {name: 'Main'}).getByRole('link', {name: 'Chat', exact: true})
    await composer(page).fill(question)
    await askSeveral(page)
    await composer(page).press('Enter')
    for (const model of ['GPT-5', 'DeepSeek V3'])
      await expect(headOf(column(page, model))).toContainText('Answer ready')
    await expect.poll(() => new URL(page.url()).searchParams.getAll('with').length).toBe(2)
    await page.goto(`${groups.installation.url}/console`)
    await chat.click()
    await expect(column(page, 'GPT-5').getByRole('article')).toHaveCount(2)
    await expect(page).toHaveURL(/\/compare\?with=/)

    await page.getByRole('link', {name: 'GPT-5: Continue here'}).click()
    await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+$/)
    await expect(page.getByRole('log').getByRole('article')).toHaveCount(2)
    await page.goto(`${groups.installation.url}/console`)
    await chat.click()
    await expect(page).toHaveURL(/\/chatgpt\/conversations\/[\w-]+$/)
    await expect(page.getByRole('log').getByRole('article')).toHaveCount(2)
  },
)
