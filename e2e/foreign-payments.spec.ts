import {expect, type Page} from '@playwright/test'
import {long} from './support/full-run.ts'
import type {LocalServer} from './support/http-server.ts'
import {signIn, test} from './support/foreign-page.ts'

/* Orders of a foreign back end, and its ways of payment to their end: its orders name no end but `Paid`. */

test.use({locale: 'en-US'})

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

test('credits and a plan are ordered with exactly the calls of the specification', async ({page, backend, host}) => {
  await signIn(page, host.url)
  const order = async (screen: string, name: string) => {
    const before = backend.recorded.length
    await page.goto(`${host.url}/console/applications/a-1/${screen}`)
    await page.getByRole('button', {name: 'Create order'}).click()
    await expect(page).toHaveURL(/\/console\/orders\/o-\d(\?|$)/)
    await expect(page.getByRole('heading', {name})).toBeVisible()
    return backend.recorded
      .slice(before)
      .filter(({method, path}) => method === 'POST' && /^\/api\/v1\/(applications|orders)\//.test(path))
      .map(({path, body}) => [path, body])
  }
  const refresh = (id: string) => [`/api/v1/orders/${id}/refresh/`, undefined]

  expect(await order('extra?redirect=/suno', 'General balance · 100 credits')).toEqual([
    [
      '/api/v1/orders/',
      {application_id: 'a-1', amount: 100, package_id: 'p-small', description: 'General balance · 100 credits'},
    ],
    refresh('o-1'),
  ])
  await page.getByRole('button', {name: 'Pay $9.90'}).click()
  await expect(page.getByRole('dialog', {name: 'WeChat Pay'})).toBeVisible()
  expect(backend.of('platform', 'POST /api/v1/orders/o-1/pay/').map(({body}) => body)).toEqual([{pay_way: 'WechatPay'}])
  // the application of a plan is made first, once
  const plan = [
    '/api/v1/orders/',
    {application_ids: ['a-2'], package_ids: ['p-week'], description: 'General balance · One week'},
  ]
  expect(await order('subscribe', 'General balance · One week')).toEqual([
    ['/api/v1/applications/', {type: 'Period', scope: 'Global', user_id: 'u-7'}],
    plan,
    refresh('o-2'),
  ])
  expect(await order('subscribe', 'General balance · One week')).toEqual([plan, refresh('o-3')])
  const periods = '/api/v1/applications/?limit=100&offset=0&user_id=u-7&ordering=-created_at&scope=Global&type=Period'
  expect(backend.calls('platform').filter((call) => call === `GET ${periods}`)).toHaveLength(2)
  expect(backend.recorded.filter(({headers}) => 'idempotency-key' in headers)).toEqual([])
})
