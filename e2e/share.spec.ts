import type {Page} from '@playwright/test'
import {ask, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {ended, lastMessage, row} from './support/chat-page.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {pixel} from './support/pixel.ts'

/* A conversation is shared by a link to a copy of it, read by anybody without an account. */

const openDialog = async (page: Page, title: string) => {
  await row(page, title).hover()
  await row(page, title)
    .getByRole('button', {name: `Actions for ${title}`})
    .click()
  await page.getByRole('menuitem', {name: 'Share…'}).click()
  await page.getByRole('dialog').getByRole('button', {name: 'Make link'}).waitFor()
}
const makeLink = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', {name: 'Make link'}).click()
  await expect(dialog.getByRole('status').filter({hasText: 'The link is there.'})).toBeVisible()
  return (await dialog.getByRole('link', {name: 'Open'}).first().getAttribute('href')) ?? ''
}

test('a link shows the copy to a reader without an account, is brought up to date and ends', async ({
  chat,
  modelServer,
  browser,
  installation,
}) => {
  modelServer.answer('An **owl** eats `mice`.\n\n![secret](https://tracker.example/pixel.png)')
  await chat
    .getByRole('main')
    .locator('input[type="file"]')
    .setInputFiles({name: 'owl.png', mimeType: 'image/png', buffer: pixel})
  await expect(chat.getByRole('main').getByText('Ready')).toBeVisible()
  await ask(chat, 'What eats an owl?')
  await expect(lastMessage(chat)).toContainText('mice')
  await ended(chat)
  await openDialog(chat, 'What eats an owl?')
  const dialog = chat.getByRole('dialog')
  await dialog.getByRole('switch', {name: 'Show attachments'}).check()
  const address = await makeLink(chat)
  expect(address).toMatch(new RegExp(`^${installation.url}/share/[\\w-]{22}$`))
  expect(await axeFaults(chat)).toEqual([])

  const stranger = await browser.newContext()
  const reader = await stranger.newPage()
  const asked: string[] = []
  reader.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const response = await reader.goto(address)
  expect([response?.status(), response?.headers()['x-robots-tag']]).toEqual([200, 'noindex, nofollow, noarchive'])
  await expect(reader.getByRole('heading', {level: 1})).toHaveText('What eats an owl?')
  await expect(reader).toHaveTitle(/^What eats an owl\? · /)
  await expect(reader.getByRole('article').last().locator('strong')).toHaveText('owl')
  for (const colorScheme of ['light', 'dark'] as const) {
    await reader.emulateMedia({colorScheme})
    await expect(reader.locator('html')).toHaveAttribute('data-theme', colorScheme)
  }
  const image = reader.getByRole('article').first().getByRole('img')
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1)
  // an image of another host is loaded by the rules of the app
  expect(asked.filter((path) => path === '/pixel.png')).toEqual([])
  await stranger.route('https://tracker.example/**', (route) => route.fulfill({body: pixel, contentType: 'image/png'}))
  await reader.getByRole('button', {name: 'Load from tracker.example'}).click()
  await expect(reader.getByTitle('secret').locator('..')).toHaveAttribute('aria-busy', 'false')
  expect(asked.filter((path) => path === '/pixel.png')).toHaveLength(1)
  const services = asked.filter((path) => path.startsWith('/services/'))
  expect(services.filter((path) => !/\/api\/v1\/(sites\/|shares\/)/.test(path))).toEqual([])
  expect(await reader.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
  expect(await axeFaults(reader)).toEqual([])
  // keys scroll it, though nothing of it has the focus yet
  await reader.reload()
  await reader.setViewportSize({width: 390, height: 260})
  const heading = reader.getByRole('heading', {level: 1})
  await expect(heading).toBeInViewport()
  await reader.keyboard.press('PageDown')
  await expect(heading).not.toBeInViewport()
  await reader.keyboard.press('PageUp')
  await expect(heading).toBeInViewport()

  modelServer.answer('Nothing does.')
  await chat.keyboard.press('Escape')
  await ask(chat, 'Really?')
  await expect(lastMessage(chat)).toContainText('Nothing does.')
  await ended(chat)
  await reader.reload()
  await expect(reader.getByRole('article')).toHaveCount(2)
  // a phone has no room for the button
  await chat.setViewportSize({width: 390, height: 844})
  await expect(chat.getByRole('banner').getByRole('button', {name: 'Share…'})).toHaveCount(0)
  await chat.getByRole('banner').getByRole('button', {name: 'Actions for this conversation'}).click()
  await chat.getByRole('menuitem', {name: 'Share…'}).click()
  await expect(dialog.getByRole('button', {name: 'Update'})).toBeVisible()
  // no action stands alone on a line of its own
  const [update, revoke] = await Promise.all(
    ['Update', 'Revoke'].map((name) => dialog.getByRole('button', {name}).boundingBox()),
  )
  expect(revoke?.y).toBe(update?.y)
  await chat.keyboard.press('Escape')
  await chat.setViewportSize({width: 1280, height: 720})
  await chat.getByRole('banner').getByRole('button', {name: 'Share…'}).click()
  await dialog.getByRole('button', {name: 'Update'}).click()
  await expect(dialog.getByText('The link shows the conversation as it is now.')).toBeVisible()
  await reader.reload()
  await expect(reader.getByRole('article')).toHaveCount(4)

  await dialog.getByRole('button', {name: 'Revoke'}).click()
  await dialog.getByRole('button', {name: 'Revoke'}).click()
  await expect(dialog.getByRole('link', {name: 'Open'})).toHaveCount(0)
  await expect.poll(async () => (await reader.reload())?.status()).toBe(404)
  await expect(reader.getByRole('heading', {level: 1})).toHaveText('There is nothing at this link.')
  expect(await axeFaults(reader)).toEqual([])
  const revoked = await reader.getByRole('main').textContent()
  await reader.goto(`${installation.url}/share/${'A'.repeat(22)}`)
  await expect(reader.getByRole('main')).toHaveText(revoked ?? '')
  await stranger.close()
})

test('the profile lists every link; without attachments their addresses are not in the copy', async ({
  chat,
  modelServer,
  browser,
  installation,
}) => {
  modelServer.answer('```js\nconst owl = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |')
  await chat
    .getByRole('main')
    .locator('input[type="file"]')
    .setInputFiles({name: 'owl.png', mimeType: 'image/png', buffer: pixel})
  await expect(chat.getByRole('main').getByText('Ready')).toBeVisible()
  await ask(chat, 'List owls')
  await expect(lastMessage(chat)).toContainText('owl')
  await ended(chat)
  await openDialog(chat, 'List owls')
  const address = await makeLink(chat)
  await chat.goto(`${installation.url}/profile`)
  const links = chat.getByRole('list', {name: 'Shared links'})
  await expect(links.getByRole('listitem')).toContainText('List owls')
  await expect(links.getByRole('listitem')).toContainText('without attachments')
  await expect(links.getByRole('link', {name: 'Open'})).toHaveAttribute('href', address)
  await expectGoodLooks(chat, () => chat.locator('li', {hasText: 'List owls'}).first().waitFor())

  const stranger = await browser.newContext()
  const reader = await stranger.newPage()
  await reader.goto(address)
  await expect(reader.getByText('1 attachment is not shared')).toBeVisible()
  await expect(reader.getByRole('article').first().getByRole('img')).toHaveCount(0)
  await expectGoodLooks(reader, () => reader.getByRole('article').first().waitFor())
  await stranger.close()

  await chat.bringToFront()
  await chat.setViewportSize({width: 390, height: 844})
  // on the line of the cards around them
  const starts = [links.getByText('List owls'), chat.getByText('Export my data', {exact: true})].map(
    async (part) => (await part.boundingBox())?.x,
  )
  const [link, offer] = await Promise.all(starts)
  expect(link).toBe(offer)
  await links.getByRole('button', {name: 'Revoke'}).click()
  const tops = ['Revoke', 'Cancel'].map(async (name) => (await links.getByRole('button', {name}).boundingBox())?.y)
  const [revoke, cancel] = await Promise.all(tops)
  expect(cancel).toBe(revoke)
  await links.getByRole('button', {name: 'Revoke'}).click()
  await expect(chat.getByText('No conversation is shared.')).toBeVisible()
})
