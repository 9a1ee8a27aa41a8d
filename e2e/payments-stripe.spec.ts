import type {BrowserContext, Page} from '@playwright/test'
import {startStripePeer, type StripePeer} from '../tests/server/stripe-peer.ts'
import {expect, test as journeys} from './fixtures.ts'
import {createOrder, openPackages} from './support/buy-credits.ts'
import {long} from './support/full-run.ts'
import {Installation} from './support/installation.ts'
import {expectGoodLooks, fewLooks, reopenIn} from './support/page-looks.ts'
import {secondTab} from './support/signed-in.ts'

/*
 * Payments by Stripe: our real server and client, Stripe's own library, and a peer that speaks its wire. Its page is
 * the test's: it leads back by the `success_url` that the server gave.
 */

const cashier = 'https://checkout.stripe.test'

const test = journeys.extend<object, {peer: StripePeer}>({
  peer: [
    async ({}, give) => {
      const peer = await startStripePeer()
      await give(peer)
      await peer.stop()
    },
    {scope: 'worker'},
  ],
  installation: [
    async ({modelServer, peer}, give) => {
      const installation = await Installation.start({
        OPENAI_BASE_URL: modelServer.baseUrl,
        OPENAI_API_KEY: 'sk-canary-e2e',
        STRIPE_SECRET_KEY: peer.config.secretKey,
        STRIPE_WEBHOOK_SECRET: peer.config.webhookSecret,
        STRIPE_BASE_URL: peer.config.baseUrl,
      })
      await give(installation)
      await installation.dispose()
    },
    {scope: 'worker'},
  ],
  watch: async ({watch, context, peer}, give) => {
    watch.allow(cashier)
    await context.route(`${cashier}/**`, (route) => {
      const back = peer.sessionOf(route.request().url()).success_url.replaceAll('&', '&amp;')
      return route.fulfill({contentType: 'text/html', body: `<h1>Cashier</h1><a href="${back}">Return to the shop</a>`})
    })
    await give(watch)
  },
})

/** Opens the page of the payment of the order that is on screen. */
async function openCashier(context: BrowserContext, page: Page): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.getByRole('button', {name: /^Pay \$/}).click()
  const tab = await opened
  await expect(tab.getByRole('heading', {name: 'Cashier'})).toBeVisible()
  return tab
}

/** The order in this tab is paid and leads nowhere by itself: the way back is a link, and nothing counts down. */
async function expectToStay(tab: Page, order: string): Promise<void> {
  await expect(tab.getByText('Paid. Your credits are here.')).toBeVisible({timeout: 15_000})
  await expect(tab.getByRole('link', {name: 'Back to Suno'})).toBeVisible()
  await expect(tab.getByRole('button', {name: 'Stay here'})).toHaveCount(0)
  expect(new URL(tab.url()).pathname).toBe(new URL(order).pathname)
}

test('paid by card: the tab that waited goes back to where credits ran out, that of the payment stays', async ({
  chat,
  context,
  peer,
}) => {
  await openPackages(chat)
  await chat.goto(`${chat.url().split('?')[0] ?? ''}?redirect=/suno`)
  await createOrder(chat)
  const order = chat.url()
  const first = await openCashier(context, chat)
  await first.close()
  // a second try: this tab has waited before
  await chat.getByRole('button', {name: 'Pay another way'}).click()
  const tab = await openCashier(context, chat)
  const session = peer.sessionOf(tab.url())
  // as Stripe does: it leads back before it tells the server of the money
  await tab.getByRole('link', {name: 'Return to the shop'}).click()
  await expect(tab.getByText('Finish paying in the other tab.')).toBeVisible()
  peer.complete(session)
  await expectToStay(tab, order)
  await expect(chat).toHaveURL(/\/suno$/)
})

test('the tab that waited was closed: that of the payment goes back', long, async ({chat, context, peer}) => {
  await openPackages(chat)
  await chat.goto(`${chat.url().split('?')[0] ?? ''}?redirect=/suno`)
  await createOrder(chat)
  const tab = await openCashier(context, chat)
  const session = peer.sessionOf(tab.url())
  await tab.getByRole('link', {name: 'Return to the shop'}).click()
  await expect(tab.getByText('Finish paying in the other tab.')).toBeVisible()
  await chat.close()
  peer.complete(session)
  await expect(tab).toHaveURL(/\/suno$/)
})

test(
  'two tabs with one order: the one that waited first goes back, the other one stays',
  long,
  async ({chat, context, peer}) => {
    await openPackages(chat)
    await chat.goto(`${chat.url().split('?')[0] ?? ''}?redirect=/suno`)
    await createOrder(chat)
    const cashier = await openCashier(context, chat)
    const session = peer.sessionOf(cashier.url())
    await cashier.close()
    const second = await secondTab(chat)
    await expect(second.getByText('Finish paying in the other tab.')).toBeVisible()
    peer.complete(session)
    await expectToStay(second, chat.url())
    await expect(chat).toHaveURL(/\/suno$/)
  },
)

test(
  'paid by a bank debit: said on every page, over reloads, until the bank has paid',
  long,
  async ({chat, context, installation, peer}) => {
    await openPackages(chat)
    await createOrder(chat)
    const tab = await openCashier(context, chat)
    const session = peer.sessionOf(tab.url())
    peer.debit(session, 'requires_action')
    await tab.getByRole('link', {name: 'Return to the shop'}).click()
    for (const page of [tab, chat]) {
      await expect(page.getByText('Your bank is working on your payment.')).toBeVisible({timeout: 15_000})
      await page.reload()
      await expect(page.getByText('Your bank is working on your payment.')).toBeVisible()
      await expect(page.getByRole('button', {name: /^Pay/})).toHaveCount(0)
      await expect(page.getByRole('link', {name: 'Confirm the debit'})).toHaveAttribute(
        'href',
        peer.confirmPage(`pi_${session.id}`),
      )
    }
    await expectGoodLooks(chat, () => chat.getByRole('main').getByRole('button').first().waitFor(), fewLooks)
    await reopenIn(chat, {theme: 'dark', locale: 'en'})
    await tab.goto(new URL('/console/orders', chat.url()).href)
    const row = tab.getByRole('row').nth(1)
    await expect(row).toContainText('With your bank')
    await expect(row.getByRole('link', {name: 'View'})).toBeVisible()
    const {payload, header} = peer.event('checkout.session.async_payment_succeeded', peer.complete(session))
    const answer = await fetch(`${installation.url}/services/platform/api/v1/payments/stripe/webhook`, {
      method: 'POST',
      body: payload,
      headers: {'content-type': 'application/json', 'stripe-signature': header},
    })
    expect(answer.status).toBe(200)
    await chat.getByRole('button', {name: 'Check again'}).click()
    await expect(chat.getByText('Paid. Your credits are here.')).toBeVisible()
  },
)
