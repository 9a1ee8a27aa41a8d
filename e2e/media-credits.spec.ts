import type {Page} from '@playwright/test'
import {axeFaults} from './support/axe.ts'
import {acceptTerms, expect, newUser, register, test} from './fixtures.ts'
import {beginPayment, createOrder} from './support/buy-credits.ts'
import {Installation} from './support/installation.ts'
import {cards, generate, made, openTool, spentCredits, storedTasks} from './support/media-page.ts'
import {MediaUpstream} from './support/media-upstream.ts'
import {reopenIn} from './support/page-looks.ts'
import {grantCredits} from './support/seeded-tasks.ts'
import {long} from './support/full-run.ts'

/* Used up: the form stays, the way to credits is offered, and the same request goes on when they have come. */

let upstream: MediaUpstream
let installation: Installation
test.beforeAll(async () => {
  upstream = await MediaUpstream.start()
  installation = await Installation.start({
    ACEDATA_BASE_URL: upstream.url,
    ACEDATA_API_KEY: 'ace-canary-e2e',
    FREE_CREDITS: '0.01',
    SANDBOX_PAYMENTS: 'true',
  })
})
test.afterAll(async () => {
  await installation.dispose()
  await upstream.dispose()
})

test.beforeEach(({watch}) => {
  watch.allow(installation.url)
  upstream.reset()
  upstream.finish()
})

/** A new user, whose credits do not cover the request. */
async function refuse(page: Page, prompt: string): Promise<string> {
  const user = newUser()
  await register(page, installation.url, user)
  await acceptTerms(page)
  await page.getByRole('dialog').waitFor({state: 'detached'})
  await openTool(page, '/flux')
  await generate(page, prompt)
  await expect(cards(page)).toContainText("You're out of credits for this tool.")
  await expect(cards(page)).toContainText(/0\.\d+ credits short/)
  return user.email
}

async function expectMadeOnce(page: Page, prompt: string): Promise<void> {
  await expect(cards(page)).toHaveCount(1)
  await made(cards(page).getByRole('img', {name: `Result of: ${prompt}`}))
  expect(upstream.submitted).toEqual(['/flux/images'])
  const {items} = await storedTasks(page, 'flux')
  expect(items).toMatchObject([{request: {prompt}, response: {success: true}}])
  expect(items[0]?.credits.settled).toBeGreaterThan(0)
  expect(await spentCredits(page)).toBeCloseTo(items[0]?.credits.settled ?? 0, 6)
}

test('the way to credits and back keeps the page, and the request goes on', long, async ({page}) => {
  const email = await refuse(page, 'a kite')
  const visit = await page.evaluate(() => performance.timeOrigin)
  await cards(page).getByRole('link', {name: 'Add credits'}).click()
  await expect(page).toHaveURL(/\/console\/applications\/[\w-]+\/extra\?redirect=%2Fflux&need=0\.\d+$/)
  // the address changes before the page does
  await expect(cards(page)).toHaveCount(0)
  await grantCredits(installation, {email, amount: 1})
  await page.goBack()
  await expectMadeOnce(page, 'a kite')
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(visit)
})

/** The next page of the tab opens its database late: it knows the credits before its own requests. */
async function slowDownStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const open = Reflect.get(IDBFactory.prototype, 'open')
    IDBFactory.prototype.open = function openSlowly(...call) {
      const request = open.apply(this, call)
      Object.defineProperty(request, 'onsuccess', {
        set: (opened: (event: Event) => void) =>
          request.addEventListener('success', (event) => setTimeout(() => opened.call(request, event), 3_000)),
      })
      return request
    }
  })
}

test('a payment that leaves the page brings credits, and the request goes on', long, async ({page}) => {
  const email = await refuse(page, 'an owl')
  await page.goto('about:blank')
  await slowDownStorage(page)
  await grantCredits(installation, {email, amount: 1})
  await page.goto(`${installation.url}/flux`)
  await expectMadeOnce(page, 'an owl')
})

test('an order paid in the other tab leads back by itself, and the request goes on once', long, async ({page}) => {
  await refuse(page, 'a lighthouse')
  await cards(page).getByRole('link', {name: 'Add credits'}).click()
  await expect(page.getByText(/^Covers the missing credits: 0\.\d+$/)).toBeVisible()
  const buys = page.getByRole('region', {name: 'Enough for any one of these, about'})
  await expect(buys.getByRole('listitem').first()).toContainText(/[1-9][\d,]* × /)
  const tab = await beginPayment(page.context(), page)
  await page.reload()
  await expect(page.getByText('Finish paying in the other tab.')).toBeVisible()
  await tab.getByRole('button', {name: /^Pay/}).click()
  await expect(page.getByText('Taking you back to Flux…')).toBeVisible()
  await expect(page).toHaveURL(`${installation.url}/flux`)
  await expectMadeOnce(page, 'a lighthouse')
})

test(
  'a payment in the same tab leads to the order and back to the tool by itself, where the request goes on once',
  long,
  async ({page}) => {
    await page.addInitScript(() => {
      window.open = () => null
    })
    await refuse(page, 'a heron')
    await cards(page).getByRole('link', {name: 'Add credits'}).click()
    await createOrder(page)
    await page.getByRole('button', {name: /^Pay/}).click()
    await page.goto((await page.getByRole('link', {name: 'Open the payment page'}).getAttribute('href')) ?? '')
    await page.getByRole('button', {name: /^Pay/}).click()
    await page.getByRole('link', {name: 'Back to the order'}).click()
    await expect(page.getByText('Taking you back to Flux…')).toBeVisible()
    await expect(page).toHaveURL(`${installation.url}/flux`)
    await expectMadeOnce(page, 'a heron')
  },
)

test(
  'on a phone, in Arabic: the page is closed while the payment is open, and the next visit goes on by itself',
  long,
  async ({page}) => {
    await refuse(page, 'an ibis')
    await page.setViewportSize({width: 390, height: 844})
    await reopenIn(page, {theme: 'light', locale: 'ar'})
    await cards(page).getByRole('link', {name: 'إضافة نقاط'}).click()
    await page.getByRole('radio').nth(1).check()
    await page.getByRole('button', {name: 'إنشاء الطلب'}).click()
    const opened = page.context().waitForEvent('page')
    await page.getByRole('button', {name: /^ادفع/}).click()
    const tab = await opened
    await expect(page.getByRole('listitem').filter({hasText: 'في انتظار الدفع'})).toHaveAttribute(
      'aria-current',
      'step',
    )
    await expect(page.getByRole('link', {name: 'فتح صفحة الدفع'})).toBeVisible()
    expect(await axeFaults(page)).toEqual([])
    await page.close()
    await tab.getByRole('button', {name: /^ادفع/}).click()
    await expect(tab.getByRole('status')).toContainText('تم الدفع.')
    expect(upstream.submitted).toEqual([])
    await tab.goto(`${installation.url}/flux`)
    await expect(cards(tab).getByRole('img', {name: /an ibis/})).toBeVisible()
    expect(upstream.submitted).toEqual(['/flux/images'])
  },
)
