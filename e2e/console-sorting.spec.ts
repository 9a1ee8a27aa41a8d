import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {long} from './support/full-run.ts'
import {tabTo} from './support/keyboard.ts'
import {expectGoodLooks, fewLooks} from './support/page-looks.ts'
import {seedLists} from './support/seeded-lists.ts'
import {seedUsage, usageApis} from './support/seeded-usage.ts'

/* The order of lists is in their address: by headings, by keyboard, by Back, on a phone; on the real server. */

const addressOf = (page: Page, path: string) => new URL(path, page.url()).href
const heading = (page: Page, name: string) => page.getByRole('columnheader', {name, exact: true})
const sortButton = (page: Page, name: string) => heading(page, name).getByRole('button')
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** The numbers of a column, from the top. */
async function numbersOf(page: Page, name: string): Promise<number[]> {
  const column = await heading(page, name).evaluate((cell) => (cell as HTMLTableCellElement).cellIndex)
  const texts = await page
    .locator('main tbody tr')
    .evaluateAll((rows, index) => rows.map((row) => row.children[index]?.textContent ?? ''), column)
  return texts.map((text) => Number(text.replace(/[^\d.-]/g, '')))
}
const descending = (numbers: number[]) => numbers.toSorted((a, b) => b - a)
const expectOrder = (page: Page, name: string, order: (numbers: number[]) => number[]) =>
  expect(async () => {
    const numbers = await numbersOf(page, name)
    expect(new Set(numbers).size).toBeGreaterThan(1)
    expect(numbers).toEqual(order(numbers))
  }).toPass({timeout: 30_000})

/** The `ordering` that the next read of this list asks for. */
const nextOrdering = async (page: Page, path: string) => {
  const request = await page.waitForRequest((each) => new URL(each.url()).pathname.endsWith(path))
  return new URL(request.url()).searchParams.get('ordering')
}

test('by keyboard; Back goes through orders, pages and filters; a new order begins on the first page', async ({
  tab: chat,
  installation,
  signedIn,
}) => {
  await seedUsage(installation, signedIn, {count: 60, seconds: 3_600})
  await chat.goto(addressOf(chat, '/console/usages'))
  await expect(heading(chat, 'Time')).toHaveAttribute('aria-sort', 'descending')
  await tabTo(chat, sortButton(chat, 'Credits'))
  await chat.keyboard.press('Enter')
  await expect(heading(chat, 'Credits')).toHaveAttribute('aria-sort', 'descending')
  await expectOrder(chat, 'Credits', descending)
  await expect(sortButton(chat, 'Credits')).toBeFocused()
  const highest = (await numbersOf(chat, 'Credits'))[0] ?? 0
  expect(searchOf(chat)).toEqual({ordering: '-deducted_amount'})

  const pages = chat.getByRole('navigation', {name: 'Pages'})
  await pages.getByRole('link', {name: '2', exact: true}).click()
  await expect(chat.getByText('16–30 of 60')).toBeVisible()
  await expect(pages.locator('[aria-current]')).toHaveText('2')
  await expect(pages.getByRole('link', {name: '4', exact: true})).toBeVisible()
  await expect.poll(async () => Math.max(...(await numbersOf(chat, 'Credits')))).toBeLessThan(highest)
  expect(searchOf(chat)).toEqual({ordering: '-deducted_amount', page: '2'})

  await sortButton(chat, 'Credits').press('Space')
  await expect(heading(chat, 'Credits')).toHaveAttribute('aria-sort', 'ascending')
  await expectOrder(chat, 'Credits', (numbers) => descending(numbers).toReversed())
  expect(searchOf(chat)).toEqual({ordering: 'deducted_amount'})

  await chat.getByLabel('API').selectOption({label: usageApis.video.title})
  await expect(chat.getByText('1–15 of 20')).toBeVisible()
  expect(searchOf(chat)).toEqual({ordering: 'deducted_amount', api_id: usageApis.video.id})
  await sortButton(chat, 'Credits').click()
  await expect(heading(chat, 'Time')).toHaveAttribute('aria-sort', 'descending')
  expect(searchOf(chat)).toEqual({api_id: usageApis.video.id})

  await chat.goBack()
  await expect(heading(chat, 'Credits')).toHaveAttribute('aria-sort', 'ascending')
  await expect(chat.getByText('1–15 of 20')).toBeVisible()
  await chat.goBack()
  await expect(chat.getByText('1–15 of 60')).toBeVisible()
  await chat.goBack()
  await expect(chat.getByText('16–30 of 60')).toBeVisible()
  await expect(heading(chat, 'Credits')).toHaveAttribute('aria-sort', 'descending')
  await chat.reload()
  await expect(chat.getByText('16–30 of 60')).toBeVisible()
  await expectOrder(chat, 'Credits', descending)
  await chat.goBack()
  await chat.goBack()
  await expect(heading(chat, 'Time')).toHaveAttribute('aria-sort', 'descending')
  expect(searchOf(chat)).toEqual({})
})

test(
  'an order that no list offers is the newest first, a page behind the last is the last',
  long,
  async ({chat, installation, signedIn}) => {
    await seedLists(installation, signedIn)
    const hostile = ['user_id', '-constructor', "price'; drop table orders; --", '-', '%00', 'price&ordering=-price']
    for (const ordering of hostile) {
      const asked = nextOrdering(chat, '/orders/')
      await chat.goto(addressOf(chat, `/console/orders?ordering=${ordering}`))
      expect(await asked).toBe('-created_at')
      await expect(heading(chat, 'Created')).toHaveAttribute('aria-sort', 'descending')
      await expect(chat.getByText('1–15 of 20')).toBeVisible()
    }
    await chat.goto(addressOf(chat, '/console/orders?ordering=<script>&foo=bar'))
    await chat.getByLabel('State').selectOption('Pending')
    await expect.poll(() => searchOf(chat)).toEqual({state: 'Pending'})

    await chat.goto(addressOf(chat, '/console/orders?ordering=price&page=99'))
    await expect(chat.getByText('16–20 of 20')).toBeVisible()
    expect(searchOf(chat)).toEqual({ordering: 'price', page: '2'})
  },
)

test(
  'the server knows every order that the lists offer; a phone has them in a list',
  long,
  async ({chat, installation, signedIn}) => {
    await seedLists(installation, signedIn)
    await chat.getByRole('link', {name: 'Console'}).click()
    const credentials = await chat.getByRole('table').getByRole('link', {name: 'Add', exact: true}).getAttribute('href')
    const lists: [path: string, headings: string[]][] = [
      ['/console/applications', ['Remaining', 'Used', 'Expires']],
      ['/console/orders', ['Price', 'Created']],
      [(credentials ?? '').replace(/extra$/, 'credentials'), ['Created', 'Used']],
      ['/distribution/history', ['Time', 'Sale', 'Reward']],
      ['/distribution/invitees', ['Joined']],
    ]
    for (const [path, names] of lists) {
      await chat.goto(addressOf(chat, path))
      for (const name of names) {
        await sortButton(chat, name).click()
        await expect(heading(chat, name)).toHaveAttribute('aria-sort', /./)
        await sortButton(chat, name).click()
        await expect(chat.locator('main [aria-busy="false"] tbody tr').first()).toBeVisible()
      }
      await expect(chat.getByRole('alert')).toHaveCount(0)
    }
    await chat.goto(addressOf(chat, '/distribution/history'))
    await sortButton(chat, 'Reward').click()
    await expectOrder(chat, 'Reward', descending)
    await sortButton(chat, 'Reward').click()
    await expectOrder(chat, 'Reward', (numbers) => descending(numbers).toReversed())
    expect((await numbersOf(chat, 'Reward'))[0]).toBeLessThan(0)

    await chat.setViewportSize({width: 390, height: 844})
    const cards = chat.getByRole('main').getByRole('list').getByRole('listitem')
    await expect(cards.first()).toContainText('-$')
    await chat.getByLabel('Sort').selectOption('Sale: highest first')
    await expect(cards.first()).toContainText('$23.00')
    expect(searchOf(chat)).toEqual({ordering: '-price'})
    await chat.goBack()
    await expect(chat.getByLabel('Sort')).toHaveValue(/./)
    await expect(cards.first()).toContainText('-$')
  },
)

test(
  'sorted lists look right in each theme, on a phone and from right to left',
  long,
  async ({chat, installation, signedIn}) => {
    await seedUsage(installation, signedIn, {count: 60, seconds: 3_600})
    await seedLists(installation, signedIn)
    const ready = () => chat.locator('main [aria-busy="false"]').first().waitFor()
    await chat.goto(addressOf(chat, '/console/usages?ordering=-deducted_amount'))
    await expectGoodLooks(chat, ready)
    for (const path of ['/console/applications?ordering=expired_at', '/console/orders', '/distribution/history']) {
      await chat.goto(addressOf(chat, path))
      await expectGoodLooks(chat, ready, fewLooks)
    }
  },
)
