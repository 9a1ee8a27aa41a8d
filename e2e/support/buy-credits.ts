import {expect, type BrowserContext, type Page} from '@playwright/test'

/** Opens the packages of the general application from the list of applications. */
export async function openPackages(page: Page): Promise<void> {
  await page.getByRole('link', {name: 'Console'}).click()
  await expect(page.getByRole('heading', {level: 1, name: 'Applications'})).toBeVisible()
  await page.getByRole('table').getByRole('link', {name: 'Add', exact: true}).click()
  await expect(page.getByRole('heading', {level: 1, name: /^Add credits/})).toBeVisible()
}

/** Orders the second package. */
export async function createOrder(page: Page): Promise<void> {
  await page.getByRole('radio').nth(1).check()
  await page.getByRole('button', {name: 'Create order'}).click()
  await expect(page).toHaveURL(/\/console\/orders\/[\w-]+(\?|$)/)
}

/** Orders the second package and begins its payment; gives the tab of the payment. */
export async function beginPayment(context: BrowserContext, page: Page): Promise<Page> {
  await createOrder(page)
  const opened = context.waitForEvent('page')
  await page.getByRole('button', {name: /^Pay/}).click()
  const tab = await opened
  await expect(tab.getByRole('heading', {name: 'Simulated payment'})).toBeVisible()
  await expect(page.getByText('Finish paying in the other tab.')).toBeVisible()
  return tab
}

/** Buys the second package with the simulated payment. */
export async function buyCredits(context: BrowserContext, page: Page): Promise<void> {
  await openPackages(page)
  const tab = await beginPayment(context, page)
  await tab.getByRole('button', {name: /^Pay/}).click()
  await expect(tab.getByRole('status')).toContainText('Paid.')
  await tab.close()
  await expect(page.getByText('Paid. Your credits are here.')).toBeVisible()
}
