import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {long} from './support/full-run.ts'
import type {Installation} from './support/installation.ts'
import {cards, openTool} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {seedImages} from './support/seeded-tasks.ts'

/* Ten thousand tasks of one tool, in the real database: what is far away costs nothing. */

const count = 10_000
const failedEvery = 25
/** The most cards that the document may hold at once, however many there are. */
const mostCards = 80
/** And the most elements, of the whole page (architecture §9). */
const mostElements = 1_500

const card = (page: Page, position: number) =>
  cards(page).filter({has: page.getByText(`picture ${position}`, {exact: true})})
const elements = (page: Page) => page.locator('*').count()
const filter = (page: Page, name: RegExp) =>
  page.getByRole('group', {name: 'Filter results'}).getByRole('button', {name})

type Question = {created_at_min?: number; created_at_max?: number}

/** Pages of the list that were asked for, and all requests, from now on. */
function watchRequests(page: Page): {pages: Question[]; all: string[]} {
  const seen = {pages: [] as Question[], all: [] as string[]}
  page.on('request', (request) => {
    seen.all.push(request.url())
    // as: the API tests check what the app sends here
    if (request.url().endsWith('/flux/tasks')) seen.pages.push(request.postDataJSON() as Question)
  })
  return seen
}

const lastPosition = async (page: Page) => Number(await cards(page).last().getAttribute('aria-posinset'))

/** Scrolls on until a card at this position or behind is in the document. */
async function scrollPast(page: Page, position: number): Promise<void> {
  await cards(page).first().hover()
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 5_000)
        return lastPosition(page)
      },
      {intervals: [100], timeout: 90_000},
    )
    .toBeGreaterThanOrEqual(position)
}

/** Waits until the last card has the image of its position: the wheel may still turn. */
const expectOwnImage = (page: Page) => expect.poll(async () => card(page, await lastPosition(page)).count()).toBe(1)

/** Gives the time of the newest. */
async function seed(page: Page, installation: Installation): Promise<number> {
  const userId = await page.evaluate(
    // as: the shape of what the app keeps is asserted by tests/browser
    () => (JSON.parse(localStorage.getItem('vuex') ?? '{}') as {user: {id: string}}).user.id,
  )
  const newest = Math.floor(Date.now() / 1_000) - 60
  const imageUrl = `${installation.url}/made/one.png`
  await page.route('**/made/one.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
  await seedImages(installation, {userId, count, newest, imageUrl, failedEvery})
  return newest
}

/** `2026-11-22`, as a date field takes it. */
const dayOf = (seconds: number) => {
  const date = new Date(seconds * 1_000)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => `${part}`.padStart(2, '0')).join('-')
}

test(
  'ten thousand tasks: the newest at once, few in the document, older ones on demand, and silence when idle',
  long,
  async ({chat, installation}) => {
    await seed(chat, installation)
    const requests = watchRequests(chat)
    await chat.clock.install()

    await openTool(chat, '/flux')
    await expect(card(chat, 1).getByRole('img', {name: 'Result of: picture 1'})).toBeVisible()
    await expect(filter(chat, /^All/)).toHaveText(`All${count.toLocaleString('en')}`)
    expect(await cards(chat).count()).toBeLessThan(mostCards)
    expect(await elements(chat)).toBeLessThanOrEqual(mostElements)
    expect(requests.pages).toHaveLength(1)

    // no screen of the list is asked for before the page is scrolled near it
    await scrollPast(chat, 60)
    await expectOwnImage(chat)
    const pages = requests.pages.length
    expect(pages).toBeLessThanOrEqual(4)
    await scrollPast(chat, 250)
    await expectOwnImage(chat)
    expect(requests.pages.length).toBeGreaterThan(pages)
    expect(requests.pages.length).toBeLessThan(12)
    expect(await cards(chat).count()).toBeLessThan(mostCards)
    expect(await elements(chat)).toBeLessThanOrEqual(mostElements)

    // whatever waits for its time has it in each of these steps
    const passMinutes = async () => {
      for (let minute = 0; minute < 10; minute += 1) await chat.clock.fastForward(60_000)
    }
    // the parts that a page loads last, once
    await passMinutes()
    await chat.waitForLoadState('networkidle')
    const before = requests.all.length
    await passMinutes()
    // a token is refreshed in its time, whatever is on screen
    expect(requests.all.slice(before).filter((url) => !url.endsWith('/oauth2/v1/token'))).toEqual([])

    await filter(chat, /^Failed/).click()
    await expect(card(chat, failedEvery)).toContainText('Not this one.')
    await expect(card(chat, 1)).toHaveCount(0)
    for (const words of await cards(chat).allTextContents()) expect(words).toContain("This one didn't work")
    expect(await cards(chat).count()).toBeLessThan(mostCards)
  },
)

test(
  'the history finds a day in the middle of ten thousand tasks without the days between',
  long,
  async ({chat, installation}) => {
    const newest = await seed(chat, installation)
    const wanted = newest - 5_000 * 60
    const midnight = (hours: 0 | 24) => new Date(wanted * 1_000).setHours(hours, 0, 0, 0) / 1_000
    // one a minute, newest first
    const first = Math.floor((newest - midnight(24)) / 60) + 2
    const last = Math.floor((newest - midnight(0)) / 60) + 1
    const requests = watchRequests(chat)
    await openTool(chat, '/flux')
    await chat.goto(`${installation.url}/flux/history`)
    await expect(card(chat, 1)).toBeVisible()
    const before = requests.pages.length
    await chat.getByLabel('From').fill(dayOf(wanted))
    await chat.getByLabel('To').fill(dayOf(wanted))
    await expect(card(chat, first)).toBeVisible()
    await expect(card(chat, first - 1)).toHaveCount(0)
    expect(requests.pages.length - before).toBeLessThanOrEqual(3)
    expect(await cards(chat).count()).toBeLessThan(mostCards)
    await scrollPast(chat, 120)
    for (const words of await cards(chat).allTextContents()) {
      const position = Number(/picture (\d+)/.exec(words)?.[1])
      expect(position).toBeGreaterThanOrEqual(first)
      expect(position).toBeLessThanOrEqual(last)
    }
  },
)
