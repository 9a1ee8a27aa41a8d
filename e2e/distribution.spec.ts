import type {Browser, BrowserContext, Page} from '@playwright/test'
import {acceptTerms, composer, enter, expect, newUser, test, type User} from './fixtures.ts'
import {copied} from './support/clipboard.ts'
import {buyCredits} from './support/buy-credits.ts'
import {isFull, long} from './support/full-run.ts'
import {Installation} from './support/installation.ts'
import {expectGoodLooks, fewLooks} from './support/page-looks.ts'
import {blankTab} from './support/signed-in.ts'
import {createUser, type SignedIn} from './support/users.ts'

/* The referral programme: a link that is followed, an order that is paid, a reward that is seen (spec §1, §6). */

const paths = ['/distribution', '/distribution/history', '/distribution/invitees']
const heading = (page: Page, name: string) => page.getByRole('heading', {level: 1, name, exact: true})
const figure = (page: Page, label: string) =>
  page.locator('dl > div').filter({has: page.getByText(label, {exact: true})})

/** A visitor in a browser of their own, who came by this link and has registered through the pages. */
async function joinBy(browser: Browser, link: string): Promise<{context: BrowserContext; page: Page; user: User}> {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}})
  const page = await context.newPage()
  const user = newUser()
  await page.goto(link)
  await page.getByRole('link', {name: 'Create an account'}).click()
  await page.getByRole('button', {name: 'Create account'}).waitFor()
  await enter(page, user, 'Create account')
  await acceptTerms(page)
  await page.getByRole('dialog').waitFor({state: 'detached'})
  await composer(page).waitFor()
  return {context, page, user}
}

test('A copies the link, B registers through it and buys credits, A sees reward, level and invitee', async ({
  chat,
  context,
  browser,
}) => {
  test.setTimeout(300_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chat.getByRole('link', {name: 'Invite'}).click()
  await expect(heading(chat, 'Invite')).toBeVisible()
  await expect(figure(chat, 'Invited people')).toContainText('0')
  await expect(chat.getByText("Withdrawals aren't open yet.")).toBeVisible()
  await expect(chat.getByText(/\/s\/[\w-]{16}$/)).toBeVisible()
  const link = await copied(chat.getByRole('button', {name: 'Copy link'}))
  expect(link).toMatch(/\/s\/[\w-]{16}$/)

  const invited = await joinBy(browser, link)
  const [cookie] = (await invited.context.cookies()).filter(({name}) => name === 'INVITER_ID')
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(Math.round(days)).toBe(7)
  await buyCredits(invited.context, invited.page)
  await invited.context.close()

  await chat.reload()
  await expect(figure(chat, 'Invited people')).toContainText('1')
  await expect(figure(chat, 'Your rewards')).toContainText(/\$\d*[1-9]/)
  await expect(chat.getByRole('row', {name: /Level 1/})).toContainText('Your level')
  await expect(chat.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0')

  await chat.getByRole('link', {name: 'See rewards'}).click()
  await expect(heading(chat, 'Rewards')).toBeVisible()
  await expect(chat.getByRole('row')).toHaveCount(2)
  const [sale, rate, reward] = await chat
    .getByRole('row')
    .nth(1)
    .getByRole('cell')
    .allTextContents()
    .then((cells) => cells.slice(1))
  const dollars = (text = '') => Number(text.replace(/[^\d.]/g, ''))
  expect(dollars(reward)).toBeCloseTo((dollars(sale) * dollars(rate)) / 100, 2)
  await expect(chat.getByText('Rewards on this page')).toContainText(reward ?? 'nothing')

  await chat.getByRole('link', {name: 'Invitees', exact: true}).click()
  await expect(heading(chat, 'Invitees')).toBeVisible()
  await expect(chat.getByRole('row')).toHaveCount(2)
  const row = chat.getByRole('row').nth(1)
  await expect(row).toContainText('*')
  expect(await row.textContent()).not.toContain(invited.user.email)
  expect(await chat.content()).not.toContain(invited.user.email)

  // the two lists are one view, at which the full run looks
  for (const path of isFull ? paths : paths.slice(0, 1)) {
    await chat.goto(new URL(path, chat.url()).href)
    const ready = () => chat.locator('table, ul[aria-busy]').first().waitFor()
    await expectGoodLooks(chat, ready, path === '/distribution' ? undefined : fewLooks)
  }
})

test('nothing yet: each list says so and offers the link', long, async ({chat, context}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const path of ['/distribution/history', '/distribution/invitees']) {
    await chat.goto(new URL(path, chat.url()).href)
    // until the short link is there the long one is copied
    const copy = chat.getByRole('main').getByRole('button', {name: 'Copy link'})
    await expect.poll(() => copied(copy)).toMatch(/\/s\/[\w-]{16}$/)
  }
  await expect(chat.getByText('Nobody has joined yet.')).toBeVisible()
})

test(
  'without short links the long one is shown, copied and works; a list that fails is read again',
  long,
  async ({chat, context}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await chat.route('**/api/v1/shorturl', (route) => route.fulfill({status: 503, json: {code: 'busy'}}))
    await chat.goto(new URL('/distribution', chat.url()).href)
    await expect(chat.getByText("The short link isn't available right now.")).toBeVisible()
    expect(await copied(chat.getByRole('button', {name: 'Copy link'}))).toMatch(/\/\?inviter_id=[\w-]{36}$/)
    await chat.unroute('**/api/v1/shorturl')
    await chat.getByRole('button', {name: 'Try the short link again'}).click()
    await expect(chat.getByText(/\/s\/[\w-]{16}$/)).toBeVisible()

    const histories = '**/api/v1/distribution-histories/**'
    await chat.route(histories, (route) => route.fulfill({status: 500, json: {code: 'api_error'}}))
    await chat.getByRole('link', {name: 'Rewards', exact: true}).click()
    await expect(chat.getByRole('alert')).toContainText("Couldn't load this list.")
    await chat.unroute(histories)
    await chat.getByRole('button', {name: 'Retry'}).click()
    await expect(chat.getByText('No rewards yet.')).toBeVisible()
  },
)

test.describe('who invited a new user (spec §6)', () => {
  type Stored = {token: {access: string}; user: {id: string}}
  const storedOf = ({state}: SignedIn) => JSON.parse(state) as Stored

  /** Asks the platform as this user. */
  async function ask(installation: Installation, user: SignedIn, method: string, path: string, body?: unknown) {
    const answer = await fetch(`${installation.url}/services/platform/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${storedOf(user).token.access}`,
        origin: installation.url,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
    expect(answer.status).toBeLessThan(300)
    return (await answer.json()) as {items: Record<string, unknown>[]; count: number}
  }
  const countOf = async (installation: Installation, user: SignedIn) =>
    (await ask(installation, user, 'GET', '/users/me/invitees')).count

  test('forced, then the address, then the cookie, then the default', long, async ({browser, watch}) => {
    test.setTimeout(300_000)
    const installation = await Installation.start()
    watch.allow(installation.url)
    try {
      // the first user runs the installation and its site
      const admin = await createUser(installation.url)
      const [byLink, byCookie, forced, byDefault] = [
        await createUser(installation.url),
        await createUser(installation.url),
        await createUser(installation.url),
        await createUser(installation.url),
      ]
      const context = await browser.newContext()
      const page = await blankTab(context, installation.url, admin)
      await page.goto(`${installation.url}/site`)
      await page.getByLabel('Default inviter').fill(storedOf(byDefault).user.id)
      await page.getByRole('button', {name: 'Save'}).click()
      await expect(page.getByText('The site is saved.')).toBeVisible()
      const counts = async () => ({
        link: await countOf(installation, byLink),
        cookie: await countOf(installation, byCookie),
        forced: await countOf(installation, forced),
        default: await countOf(installation, byDefault),
      })
      const linkOf = (user: SignedIn) => `${installation.url}/?inviter_id=${storedOf(user).user.id}`
      const join = async (...links: string[]) => {
        const visitor = await browser.newContext()
        const tab = await visitor.newPage()
        for (const link of links) {
          await tab.goto(link)
          await tab.getByRole('link', {name: 'Create an account'}).waitFor()
        }
        await tab.getByRole('link', {name: 'Create an account'}).click()
        await tab.getByRole('button', {name: 'Create account'}).waitFor()
        await enter(tab, newUser(), 'Create account')
        await tab.getByRole('dialog').waitFor()
        await visitor.close()
      }

      await join(installation.url)
      expect(await counts()).toEqual({link: 0, cookie: 0, forced: 0, default: 1})
      await join(linkOf(byCookie), installation.url)
      expect(await counts()).toEqual({link: 0, cookie: 1, forced: 0, default: 1})
      await join(linkOf(byCookie), linkOf(byLink))
      expect(await counts()).toEqual({link: 1, cookie: 1, forced: 0, default: 1})

      await page.getByLabel('Forced inviter').fill(storedOf(forced).user.id)
      await page.getByRole('button', {name: 'Save'}).click()
      await expect(page.getByRole('button', {name: 'Save'})).toHaveCount(0)
      await join(linkOf(byLink))
      expect(await counts()).toEqual({link: 1, cookie: 1, forced: 1, default: 1})
      await context.close()
    } finally {
      await installation.dispose()
    }
  })
})
