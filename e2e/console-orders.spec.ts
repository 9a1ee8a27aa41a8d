import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {beginPayment, buyCredits, createOrder, openPackages} from './support/buy-credits.ts'
import {long} from './support/full-run.ts'
import {expectGoodLooks, fewLooks} from './support/page-looks.ts'
import {blankTab, secondTab} from './support/signed-in.ts'
import {createUser} from './support/users.ts'
import {lookAt} from './support/look-at.ts'

/* Credits are bought with the simulated payment: a real page in another tab, a real order, real credits (spec §2). */

const pill = (page: Page) => page.getByRole('button', {name: /Credits and applications/})
const amountOf = async (page: Page) => Number(((await pill(page).textContent()) ?? '').replace(/[^\d.]/g, ''))

test('credits are bought: choose, order, pay in the other tab, and the balance has grown', async ({chat, context}) => {
  await expect(pill(chat)).toContainText('credits')
  const before = await amountOf(chat)
  await buyCredits(context, chat)
  await expect.poll(() => amountOf(chat)).toBeGreaterThan(before)
  await chat.getByRole('link', {name: 'Orders'}).first().click()
  await expect(chat.getByRole('row').nth(1)).toContainText('Finished')
})

test('on a phone an order is opened by pressing its card anywhere; its link has its name', async ({chat}) => {
  await openPackages(chat)
  await createOrder(chat)
  const address = chat.url()
  await chat.setViewportSize({width: 390, height: 844})
  await chat.goto(new URL('/console/orders', address).href)
  const card = chat.getByRole('list', {name: 'Orders'}).getByRole('listitem').first()
  await expect(card.getByRole('link', {name: /^Pay for General balance · \d+ credits$/})).toBeVisible()
  await card.click({position: {x: 12, y: 12}})
  await expect(chat).toHaveURL(address)
})

test('a declined payment can be made again, also after a reload', long, async ({chat, context}) => {
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

test('where the browser lets no tab open, a link leads to the page of the payment', long, async ({chat, context}) => {
  await chat.addInitScript(() => {
    window.open = () => null
  })
  await chat.reload()
  await openPackages(chat)
  await createOrder(chat)
  await chat.getByRole('button', {name: /^Pay/}).click()
  await expect(chat.getByText('Your browser kept the payment page from opening.')).toBeVisible()
  const opened = context.waitForEvent('page')
  await chat.getByRole('link', {name: 'Open the payment page'}).click()
  const tab = await opened
  await expect(chat.getByText('Finish paying in the other tab.')).toBeVisible()
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  await tab.getByRole('button', {name: /^Pay/}).click()
  await expect(chat.getByText('Paid. Your credits are here.')).toBeVisible()
})

test('a page that was opened before another way was chosen can still pay the order', long, async ({chat, context}) => {
  await openPackages(chat)
  const tab = await beginPayment(context, chat)
  await chat.getByRole('button', {name: 'Pay another way'}).click()
  await expect(chat.getByText('The payment you opened still counts.')).toBeVisible()
  await tab.getByRole('button', {name: /^Pay/}).click()
  await expect(chat.getByText('Paid. Your credits are here.')).toBeVisible()
})

test(
  'two tabs pay one order: both get one page, which takes one payment, and the credits come once',
  long,
  async ({chat, context}) => {
    await openPackages(chat)
    const before = await amountOf(chat)
    await createOrder(chat)
    const other = await secondTab(chat)
    await expect(other.getByRole('button', {name: /^Pay \$/})).toBeEnabled()
    const payPageOf = async (page: Page) => {
      const opened = context.waitForEvent('page')
      await page.getByRole('button', {name: /^Pay/}).click()
      const tab = await opened
      await expect(tab.getByRole('heading', {name: 'Simulated payment'})).toBeVisible()
      return tab
    }
    const [first, second] = [await payPageOf(chat), await payPageOf(other)]
    expect(second.url()).toBe(first.url())
    await first.getByRole('button', {name: /^Pay/}).click()
    await expect(first.getByRole('status')).toContainText('Paid.')
    await second.getByRole('button', {name: /^Pay/}).click()
    await expect(second.getByRole('status')).toContainText('Paid.')
    for (const page of [chat, other]) await expect(page.getByText('Paid. Your credits are here.')).toBeVisible()
    await expect.poll(() => amountOf(chat)).toBe(before + 500)
  },
)

test('a plan that is ordered and given up leaves no application; the pay page and the order have its name', async ({
  chat,
  context,
}) => {
  await openPackages(chat)
  await chat.getByRole('link', {name: 'Plans'}).click()
  await chat.getByRole('radio', {name: 'One week'}).check()
  await chat.getByRole('button', {name: 'Create order'}).click()
  await expect(chat).toHaveURL(/\/console\/orders\/[\w-]+$/)
  const name = 'General balance · One week'
  await expect(chat.getByRole('heading', {level: 2, name})).toBeVisible()
  const opened = context.waitForEvent('page')
  await chat.getByRole('button', {name: 'Pay $9.90'}).click()
  const tab = await opened
  await expect(tab.getByText(name)).toBeVisible()
  await tab.getByRole('button', {name: 'Let the payment expire'}).click()
  await expect(tab.getByRole('status')).toBeVisible()
  await tab.close()
  await expect(chat.getByText('This order has expired.')).toBeVisible()
  await chat.getByRole('link', {name: 'Order again'}).click()
  await expect(chat).toHaveURL(/\/subscribe$/)
  await chat.getByRole('link', {name: 'Applications'}).first().click()
  await expect(chat.getByRole('heading', {level: 1, name: 'Applications'})).toBeVisible()
  await expect(chat.getByRole('row')).toHaveCount(2)
  await expect(chat.getByText('Expired')).toHaveCount(0)
})

test(
  'from the list of applications to an order and to another one, what the credits are for goes along',
  long,
  async ({chat, context}) => {
    const errand = 'redirect=%2Fsuno&need=50'
    const rest = new RegExp(`\\?(?=.*redirect=%2Fsuno)(?=.*need=50)`)
    await chat.goto(new URL(`/console/applications?${errand}`, chat.url()).href)
    const add = chat.getByRole('table').getByRole('link', {name: 'Add', exact: true})
    await expect(add).toHaveAttribute('href', rest)
    await chat.getByRole('radio', {name: 'Usage'}).click()
    await expect(chat).toHaveURL(/type=Usage/)
    await expect(add).toHaveAttribute('href', rest)
    await expect(chat.getByRole('link', {name: 'Add credits'}).first()).toHaveAttribute('href', rest)
    await chat.getByRole('button', {name: /^More/}).first().click()
    await expect(chat.getByRole('menuitem', {name: 'Subscribe'})).toHaveAttribute('href', rest)
    await chat.keyboard.press('Escape')
    await add.click()
    const tab = await beginPayment(context, chat)
    await expect(chat).toHaveURL(rest)
    await tab.getByRole('button', {name: 'Let the payment expire'}).click()
    await expect(chat.getByText('This order has expired.')).toBeVisible()
    const again = chat.getByRole('link', {name: 'Order again'})
    await expect(again).toHaveAttribute('href', rest)
    await again.click()
    await expect(chat.getByText(/the missing credits/)).toBeVisible()
  },
)

test(
  'prices name the dollars that are charged; a rate that was stored is none when the one of today fails',
  long,
  async ({chat}) => {
    const [rate, first] = [/\/exchange-rate$/, chat.locator('label', {has: chat.getByRole('radio')}).first()]
    const missing = chat.getByText('سعر الصرف غير متاح: الأسعار بالدولار الأمريكي.')
    await openPackages(chat)
    await chat.goto(`${chat.url()}?lang=ar`)
    await expect(chat.locator('html')).toHaveAttribute('lang', 'ar')
    await expect(first).toHaveText(/﷼37\.\d\d \(\$9\.90\)$/)
    await expect(missing).toHaveCount(0)
    await chat.route(rate, (route) => route.fulfill({status: 503, json: {code: 'unavailable'}}))
    await chat.reload()
    await expect(missing).toBeVisible()
    await expect(first).toHaveText(/\$9\.90$/)
    await chat.getByRole('button', {name: 'إنشاء الطلب'}).click()
    await expect(chat.getByRole('button', {name: 'ادفع $9.90'})).toBeVisible()
    await expect(missing).toBeVisible()
    await chat.unroute(rate)
    await chat.getByRole('button', {name: 'إعادة المحاولة'}).click()
    await expect(chat.getByText(/﷼37\.\d\d \(\$9\.90\)/)).toBeVisible()
    await expect(missing).toHaveCount(0)
  },
)

test(
  'a list that is open in another tab says that an order is paid when it is shown again',
  long,
  async ({chat, context}) => {
    const list = await context.newPage()
    await openPackages(chat)
    const tab = await beginPayment(context, chat)
    await list.goto(new URL('/console/orders', chat.url()).href)
    const row = list.getByRole('row').nth(1)
    await expect(row).toContainText('To pay')
    await lookAt(list, false)
    await tab.getByRole('button', {name: /^Pay/}).click()
    await expect(chat.getByText('Paid. Your credits are here.')).toBeVisible()
    await expect(row).toContainText('To pay')
    await lookAt(list, true)
    await expect(row).toContainText('Finished')
  },
)

test('an order of another user is not there', long, async ({chat, browser, installation}) => {
  await openPackages(chat)
  await createOrder(chat)
  const address = chat.url()
  await expect(chat.getByRole('button', {name: /^Pay \$/})).toBeEnabled()
  const theirs = await browser.newContext()
  const other = await blankTab(theirs, installation.url, await createUser(installation.url))
  await other.goto(address)
  await expect(other.getByText('There is no such order.')).toBeVisible()
  await other.goto(new URL('/console/orders', address).href)
  await expect(other.getByText('No orders yet')).toBeVisible()
  await theirs.close()
})

test(
  'applications, packages, plans and orders look right in each theme, on a phone and from right to left',
  long,
  async ({chat, context}) => {
    const {origin} = new URL(chat.url())
    await openPackages(chat)
    const extra = new URL(chat.url()).pathname
    const tab = await beginPayment(context, chat)
    await tab.close()
    const main = chat.getByRole('main')
    const pages = [
      ['/console/applications', main.getByRole('link').first()],
      [extra, main.getByRole('radio').first()],
      [extra.replace(/extra$/, 'subscribe'), main.getByRole('radio').first()],
      ['/console/orders', main.getByRole('link').first()],
      [new URL(chat.url()).pathname, main.getByRole('button').first()],
    ] as const
    for (const [path, content] of pages) {
      await chat.goto(`${origin}${path}`)
      await expectGoodLooks(chat, () => content.waitFor(), fewLooks)
    }
  },
)
