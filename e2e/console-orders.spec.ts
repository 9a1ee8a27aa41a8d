import type {BrowserContext, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'

/* Credits are bought with the simulated payment: a real page in another tab, a real order, real credits (spec §2). */

const pill = (page: Page) => page.getByRole('button', {name: /Credits and applications/})
const amountOf = async (page: Page) => Number(((await pill(page).textContent()) ?? '').replace(/[^\d.]/g, ''))

/** Opens the packages of the general application from the list of applications. */
async function openPackages(page: Page): Promise<void> {
  await page.getByRole('link', {name: 'Console'}).click()
  await expect(page.getByRole('heading', {level: 1, name: 'Applications'})).toBeVisible()
  await page.getByRole('table').getByRole('link', {name: 'Add', exact: true}).click()
  await expect(page.getByRole('heading', {level: 1, name: /^Add credits/})).toBeVisible()
}

/** Orders the second package and begins its payment; gives the tab of the payment. */
async function beginPayment(context: BrowserContext, page: Page): Promise<Page> {
  await page.getByRole('radio').nth(1).check()
  await page.getByRole('button', {name: 'Create order'}).click()
  await expect(page).toHaveURL(/\/console\/orders\/[\w-]+$/)
  const opened = context.waitForEvent('page')
  await page.getByRole('button', {name: /^Pay/}).click()
  const tab = await opened
  await expect(tab.getByRole('heading', {name: 'Simulated payment'})).toBeVisible()
  await expect(page.getByText('Finish paying in the other tab.')).toBeVisible()
  return tab
}

test('credits are bought: choose, order, pay in the other tab, and the balance has grown', async ({chat, context}) => {
  await expect(pill(chat)).toContainText('credits')
  const before = await amountOf(chat)
  await openPackages(chat)
  const tab = await beginPayment(context, chat)
  await tab.getByRole('button', {name: /^Pay/}).click()
  await expect(tab.getByRole('status')).toContainText('Paid.')
  await tab.close()
  await expect(chat.getByText('Paid. Your credits are here.')).toBeVisible()
  await expect.poll(() => amountOf(chat)).toBeGreaterThan(before)
  await chat.getByRole('link', {name: 'Orders'}).first().click()
  await expect(chat.getByRole('row').nth(1)).toContainText('Finished')
})

test('a declined payment can be made again, also after a reload', async ({chat, context}) => {
  await openPackages(chat)
  const declined = await beginPayment(context, chat)
  await declined.getByRole('button', {name: 'Decline the payment'}).click()
  await expect(declined.getByRole('status')).toBeVisible()
  await declined.close()
  await expect(chat.getByRole('alert')).toContainText('didn’t go through')
  const opened = context.waitForEvent('page')
  await chat.getByRole('button', {name: /^Pay/}).click()
  const second = await opened
  await expect(second.getByRole('heading', {name: 'Simulated payment'})).toBeVisible()
  // the page of the order is left while the payment is open, and finds it again
  await chat.reload()
  await expect(chat.getByText('Finish paying in the other tab.')).toBeVisible()
  await second.getByRole('button', {name: /^Pay/}).click()
  await expect(chat.getByText('Paid. Your credits are here.')).toBeVisible()
})

test('an order of somebody else is not there', async ({chat}) => {
  await chat.goto(new URL('/console/orders/00000000-0000-4000-8000-000000000000', chat.url()).href)
  await expect(chat.getByText('There is no such order.')).toBeVisible()
})
