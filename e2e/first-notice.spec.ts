import type {Page, Request} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {choose, listed, open, seeded, titles} from './support/marked-conversations.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/* A page says what was refused, also when its first notice comes before its view or without a network. */

const noticeTime = 5_000
const refusal = (page: Page) =>
  page.getByRole('region', {name: 'Notifications'}).getByText("Couldn't save the change. It was taken back.")
const retry = (page: Page) =>
  page.getByRole('region', {name: 'Notifications'}).getByRole('button', {name: 'Retry', exact: true})
const isMark = (request: Request) => request.postData()?.includes('"action":"mark"') === true
const isRead = (request: Request) => request.postData()?.includes('retrieve_batch') === true
const offlineLine = (page: Page) => page.getByText(/^You're offline/)

test('a mark that is given without a network is taken back, and the page says so at once', async ({
  context,
  tab: page,
  installation,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, seeded)
  const view = page.waitForResponse(/\/assets\/notices-[^/]*\.css/)
  await open(page, installation.url)
  await expect(listed(page)).toHaveText(titles)
  await (await view).finished()
  const kept = page.waitForResponse((response) => isMark(response.request()))
  await choose(page, 'Trains', 'Pin')
  await kept
  await expect(listed(page).first()).toHaveText('Trains')
  await context.setOffline(true)
  // the line moves the list down
  await expect(offlineLine(page)).toBeVisible()
  await choose(page, 'Trains', 'Unpin')
  await expect(refusal(page)).toBeVisible()
  await expect(offlineLine(page)).toBeVisible()
  await expect(listed(page).first()).toHaveText('Trains')
  await context.setOffline(false)
  await expect(offlineLine(page)).toHaveCount(0)
  await choose(page, 'Trains', 'Unpin')
  await expect(listed(page)).toHaveText(titles)
})

test('a change that was taken back without a network is made again by a press of its notice', async ({
  context,
  tab: page,
  installation,
  signedIn,
}) => {
  await seedConversations(installation, signedIn, seeded)
  const view = page.waitForResponse(/\/assets\/notices-[^/]*\.css/)
  await open(page, installation.url)
  await expect(listed(page)).toHaveText(titles)
  await (await view).finished()
  const first = page.waitForResponse((response) => isMark(response.request()))
  await choose(page, 'Trains', 'Pin')
  await first
  const before = ['Trains', 'Kites', 'Boats', 'Planes']
  await expect(listed(page)).toHaveText(before)
  await context.setOffline(true)
  await expect(offlineLine(page)).toBeVisible()
  await choose(page, 'Planes', 'Pin')
  await expect(refusal(page)).toBeVisible()
  await expect(listed(page)).toHaveText(before)
  // what failed once more says so once more
  await retry(page).click()
  await expect(refusal(page)).toBeVisible()
  // the list is read again with the network: what it says is older than the press
  const readAgain = page.waitForResponse((response) => isRead(response.request()))
  await context.setOffline(false)
  await expect(offlineLine(page)).toHaveCount(0)
  await (await readAgain).finished()
  const kept = page.waitForResponse((response) => isMark(response.request()))
  await retry(page).click()
  expect((await kept).status()).toBe(200)
  await expect(refusal(page)).toHaveCount(0)
  const after = ['Trains', 'Planes', 'Kites', 'Boats']
  await expect(listed(page)).toHaveText(after)
  await page.reload()
  await expect(listed(page)).toHaveText(after)
})

test('a notice of a change that is made again by hand goes', long, async ({tab: page, installation, signedIn}) => {
  await seedConversations(installation, signedIn, seeded)
  await open(page, installation.url)
  await expect(listed(page)).toHaveText(titles)
  await page.route(/\/conversations$/, (route) => (isMark(route.request()) ? route.abort() : route.continue()))
  await choose(page, 'Trains', 'Pin')
  await expect(retry(page)).toBeVisible()
  await page.unroute(/\/conversations$/)
  await choose(page, 'Trains', 'Pin')
  await expect(listed(page).first()).toHaveText('Trains')
  await expect(refusal(page)).toHaveCount(0)
})

test(
  'a notice that comes before its view waits for it, whatever time it takes',
  long,
  async ({tab: page, installation, signedIn}) => {
    await seedConversations(installation, signedIn, seeded)
    await holdDelays(page, [noticeTime])
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/assets\/notices-/, async (route) => {
      await released
      await route.continue()
    })
    await page.route(/\/conversations$/, (route) =>
      isMark(route.request()) ? route.fulfill({status: 403, json: {}}) : route.continue(),
    )
    await open(page, installation.url)
    await expect(listed(page)).toHaveText(titles)
    const answer = page.waitForResponse((response) => response.status() === 403)
    await choose(page, 'Trains', 'Pin')
    await answer
    await expect(listed(page)).toHaveText(titles)
    await endDelays(page, noticeTime)
    await expect(refusal(page)).toHaveCount(0)
    release()
    await expect(refusal(page)).toBeVisible()
    // once more would be refused once more
    await expect(retry(page)).toHaveCount(0)
    expect(await endDelays(page, noticeTime)).toBeGreaterThan(0)
    await expect(refusal(page)).toHaveCount(0)
  },
)
