import {expect, type Page} from '@playwright/test'
import {long} from './support/full-run.ts'
import type {LocalServer} from './support/http-server.ts'
import {signIn, test} from './support/foreign-page.ts'

/* The ways of payment of a foreign back end, to their end: its orders name no end but `Paid`. */

async function orderFor(page: Page, host: LocalServer, way: string): Promise<void> {
  await signIn(page, host.url)
  await page.goto(`${host.url}/console/applications/a-1/extra?redirect=/suno`)
  await page.getByRole('button', {name: 'Create order'}).click()
  await page.getByRole('radio', {name: way}).check()
}

test(
  'AliPay: its page opens in a tab, and the page that waited goes back once it is paid',
  long,
  async ({page, context, backend, host}) => {
    await orderFor(page, host, 'Alipay')
    const opened = context.waitForEvent('page')
    await page.getByRole('button', {name: 'Pay $9.90'}).click()
    const tab = await opened
    await expect(tab).toHaveURL(`${backend.config.platform}/cashier`)
    expect(await tab.evaluate(() => window.opener)).toBeNull()
    await expect(page.getByText('Finish paying in the other tab.')).toBeVisible()
    expect(backend.of('platform', 'POST /api/v1/orders/o-1/pay/').map(({body}) => body)).toEqual([{pay_way: 'AliPay'}])
    backend.finish('o-1')
    await expect(page.getByText('Paid. Your credits are here.')).toBeVisible()
    await expect(page).toHaveURL(/\/suno$/)
  },
)

test('WeChat: the code is scanned, and its dialog ends with the payment', long, async ({page, backend, host}) => {
  await orderFor(page, host, 'WeChat Pay')
  await page.getByRole('button', {name: 'Pay $9.90'}).click()
  const dialog = page.getByRole('dialog', {name: 'WeChat Pay'})
  await expect(dialog.getByRole('img')).toBeVisible()
  backend.finish('o-1')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Paid. Your credits are here.')).toBeVisible()
  await expect(page).toHaveURL(/\/suno$/)
})
