import {readFileSync} from 'node:fs'
import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {clipboard} from './support/clipboard.ts'
import {long} from './support/full-run.ts'
import {tabTo} from './support/keyboard.ts'
import {lookAt} from './support/look-at.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {arabicPhone} from './support/phone.ts'
import {seedUsage, usageApis} from './support/seeded-usage.ts'

/* The usage page on the real server: figures, chart, table and file of the same requests (design/screens §9). */

// a zone whose days begin at half past
test.use({timezoneId: 'Asia/Kolkata'})

const rows = (page: Page) => page.getByRole('table', {name: 'Usage'}).getByRole('row')
const figure = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({has: page.getByText(label, {exact: true})})
    .locator('dd bdi')
const cursor = (page: Page) => page.getByRole('slider')

/** The usage page, with the filters of `search`. */
async function openUsage(page: Page, search = ''): Promise<void> {
  await page.goto(new URL(`/console/usages${search}`, page.url()).href)
  await page.getByRole('heading', {level: 1, name: 'Usage'}).waitFor()
}

const microOf = (text: string) => BigInt(text.replaceAll(/[,.]/g, ''))
const addUp = (amounts: readonly string[]) => amounts.reduce((sum, amount) => sum + microOf(amount), 0n)

/** Columns of a file by name. The amounts and times in it hold no comma and no quote. */
function readCsv(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trimEnd().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, index) => [names[index], value])))
}

async function downloadCsv(page: Page): Promise<Record<string, string>[]> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', {name: 'Download CSV'}).click()
  return readCsv(readFileSync(await (await download).path(), 'utf8'))
}

test('figures, chart, table and file agree to the last digit, over 10,000 requests', async ({
  tab: chat,
  installation,
  signedIn,
}) => {
  await seedUsage(installation, signedIn, {count: 10_000, seconds: 240})
  await openUsage(chat)
  await expect(figure(chat, 'Requests')).toHaveText('10,000')
  const csv = await downloadCsv(chat)
  expect(csv).toHaveLength(10_000)
  const credits = addUp(csv.map(({deducted_amount = ''}) => deducted_amount))
  const succeeded = csv.filter(({status_code = ''}) => status_code.startsWith('2')).length
  await expect(figure(chat, 'Succeeded')).toHaveText(`${succeeded / 100}%`)

  await chat.getByRole('button', {name: 'View as table'}).click()
  const sums = chat.getByRole('table', {name: 'Credits per day'}).getByRole('row')
  await expect(sums).toHaveCount(32)
  const cells = await sums.evaluateAll((lines) =>
    lines.map((line) => [...line.querySelectorAll('th, td')].map(({textContent}) => textContent ?? '')),
  )
  const days = cells.slice(1, -1)
  expect(addUp(days.map((day) => day.at(-1) ?? ''))).toBe(credits)
  expect(microOf(cells.at(-1)?.at(-1) ?? '')).toBe(credits)
  for (const day of days) expect(addUp(day.slice(1, -1))).toBe(microOf(day.at(-1) ?? ''))
  // each day by another way than the page's
  const dayName = new Intl.DateTimeFormat('en', {
    timeZone: 'Asia/Kolkata',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  })
  const expected = new Map<string, bigint>()
  for (const {created_at = '', deducted_amount = ''} of csv) {
    const name = dayName.format(new Date(created_at))
    expected.set(name, (expected.get(name) ?? 0n) + microOf(deducted_amount))
  }
  for (const [name = '', ...amounts] of days)
    expect([name, microOf(amounts.at(-1) ?? '')]).toEqual([name, expected.get(name) ?? 0n])

  await expect(rows(chat)).toHaveCount(16)
  const amounts = await rows(chat).evaluateAll((lines) =>
    lines.slice(1).map((line) => line.querySelector('td:last-child')?.textContent),
  )
  expect(amounts).toEqual(csv.slice(0, 15).map(({deducted_amount}) => deducted_amount))
  await expect(chat.getByText(/Times are in Asia\/(Kolkata|Calcutta); the CSV file has them in UTC\./)).toBeVisible()
})

test('Back goes through filters, periods and pages', long, async ({chat, installation, signedIn}) => {
  await seedUsage(installation, signedIn, {count: 90, seconds: 3_600})
  await openUsage(chat)
  await expect(figure(chat, 'Requests')).toHaveText('90')
  await chat.getByLabel('API').selectOption({label: usageApis.video.title})
  await expect(figure(chat, 'Requests')).toHaveText('30')
  await chat.getByRole('radio', {name: '24 h'}).click()
  await expect(figure(chat, 'Requests')).toHaveText(/^[78]$/)
  await expect(chat.getByRole('heading', {name: 'Credits per hour'})).toBeVisible()
  await chat.goBack()
  await expect(figure(chat, 'Requests')).toHaveText('30')
  await chat.getByRole('link', {name: 'Next'}).click()
  await expect(chat.getByText('16–30 of 30')).toBeVisible()
  await expect(chat).toHaveURL(/page=2/)
  await chat.getByRole('radio', {name: 'Custom'}).click()
  await expect(chat.getByLabel('From')).toHaveValue(/^\d{4}-\d\d-\d\d$/)
  await expect(chat).not.toHaveURL(/page=2/)
  await chat.goBack()
  await expect(chat.getByText('16–30 of 30')).toBeVisible()
  await chat.goBack()
  await chat.goBack()
  await expect(figure(chat, 'Requests')).toHaveText('90')
  await chat.getByLabel('Application').selectOption({index: 1})
  await expect(chat).toHaveURL(/application_id=/)
  await chat.reload()
  await expect(figure(chat, 'Requests')).toHaveText('90')
  await expect(chat.getByLabel('Application')).not.toHaveValue('')
})

test(
  'by keyboard: the column cursor, the drawer of a request and back to its row, its trace id copied',
  long,
  async ({chat, context, installation, signedIn}) => {
    await seedUsage(installation, signedIn, {count: 40, seconds: 3_600})
    await openUsage(chat, '?period=7d')
    await chat.getByRole('heading', {level: 1}).focus()
    await tabTo(chat, cursor(chat))
    const last = await cursor(chat).getAttribute('aria-valuetext')
    await chat.keyboard.press('ArrowLeft')
    await expect(cursor(chat)).not.toHaveAttribute('aria-valuetext', last ?? '')
    await chat.keyboard.press('Home')
    await expect(cursor(chat)).toHaveValue('0')
    const first = rows(chat).nth(1)
    const name = first.getByRole('rowheader').getByRole('button')
    await tabTo(chat, name)
    await chat.keyboard.press('Enter')
    const drawer = chat.getByRole('dialog')
    await expect(drawer.getByText('trace-1', {exact: true})).toBeVisible()
    await expect(drawer.getByText('model-1')).toBeVisible()
    await chat.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(name).toBeFocused()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await chat.keyboard.press('Tab')
    await expect(first.getByRole('button', {name: 'Copy trace ID trace-1'})).toBeFocused()
    // it is said for a moment
    await Promise.all([first.getByText('Copied').waitFor(), chat.keyboard.press('Enter')])
    await expect.poll(() => clipboard(chat)).toBe('trace-1')
  },
)

test(
  'looks: both themes, a phone, Arabic; nothing that axe finds, nothing wider than the screen',
  long,
  async ({chat, installation, signedIn}) => {
    await seedUsage(installation, signedIn, {count: 60, seconds: 36_000})
    await openUsage(chat, '?period=custom&from=2026-01-01&to=2026-12-31')
    await expectGoodLooks(chat, async () => {
      await cursor(chat).focus()
      await chat.getByText('model-').first().waitFor()
    })
  },
)

test(
  'a period without requests says so; totals and filters that fail leave the rows, and can be read again',
  long,
  async ({chat, installation, signedIn}) => {
    const apis = (url: URL) => url.pathname.endsWith('/apis/') && !url.pathname.endsWith('/usage/apis/')
    await chat.route(apis, (route) => route.fulfill({status: 503, json: {error: {code: 'busy', message: 'foo'}}}))
    await openUsage(chat)
    await expect(chat.getByText('No requests in this period.')).toBeVisible()
    const unfiltered = chat.getByRole('alert').filter({hasText: "Couldn't load the filters. The server is busy."})
    await expect(unfiltered).toBeVisible()
    await chat.unroute(apis)
    await unfiltered.getByRole('button', {name: 'Retry'}).click()
    await expect(unfiltered).toBeHidden()
    await seedUsage(installation, signedIn, {count: 3, seconds: 60})
    const totals = (url: URL) => url.pathname.endsWith('/usage/totals')
    await chat.route(totals, (route) => route.fulfill({status: 503, json: {error: {code: 'busy', message: 'foo'}}}))
    await chat.getByRole('button', {name: 'Refresh'}).click()
    await expect(rows(chat)).toHaveCount(4)
    const problem = chat.getByRole('alert').filter({hasText: "Couldn't load the totals."})
    await expect(problem).toBeVisible()
    await chat.unroute(totals)
    await problem.getByRole('button', {name: 'Retry'}).click()
    await expect(figure(chat, 'Requests')).toHaveText('3')
    await expect(problem).toBeHidden()
  },
)

test(
  'a tab that is shown again has the requests made meanwhile: rows and figures up to the same moment',
  long,
  async ({chat, installation, signedIn}) => {
    await seedUsage(installation, signedIn, {count: 3, seconds: 60})
    await openUsage(chat)
    await expect(rows(chat)).toHaveCount(4)
    await expect(figure(chat, 'Requests')).toHaveText('3')
    await lookAt(chat, false)
    await seedUsage(installation, signedIn, {count: 2, seconds: 0})
    const isRead = (path: string) => chat.waitForRequest((request) => new URL(request.url()).pathname.endsWith(path))
    const asked = Promise.all([isRead('/usage/apis/'), isRead('/usage/totals')])
    await lookAt(chat, true)
    const ends = (await asked).map((request) => new URL(request.url()).searchParams.get('created_at_max'))
    expect(ends).toEqual([expect.any(String), ends[0]])
    await expect(rows(chat)).toHaveCount(6)
    await expect(figure(chat, 'Requests')).toHaveText('5')
  },
)

test('a back end without totals: figures of the page alone, no period, no chart, no file', async ({
  chat,
  installation,
  signedIn,
}) => {
  await seedUsage(installation, signedIn, {count: 20, seconds: 60})
  await chat.route(
    ({pathname}) => pathname === '/console/usages',
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({response, body: (await response.text()).replace('"usage-totals"', '"foo"')})
    },
  )
  const asked = chat.waitForRequest((request) => request.url().includes('/usage/apis/'))
  await openUsage(chat)
  expect((await asked).url()).not.toContain('created_at_m')
  await expect(rows(chat)).toHaveCount(16)
  await expect(figure(chat, 'Requests')).toHaveText('15')
  await expect(chat.getByText(/only those on this page/)).toBeVisible()
  await expect(cursor(chat)).toBeHidden()
  await expect(chat.getByRole('button', {name: 'Download CSV'})).toBeHidden()
  await expect(chat.getByRole('radiogroup')).toBeHidden()
})

test.describe('on a phone in Arabic', () => {
  test.use(arabicPhone)

  test(
    'a date of the footnote stands on one line, wherever it falls',
    long,
    async ({tab: chat, installation, signedIn}) => {
      await seedUsage(installation, signedIn, {count: 20, seconds: 60})
      await chat.goto(`${installation.url}/console/usages`)
      const dates = chat
        .getByRole('main')
        .locator('bdi[dir="ltr"]')
        .filter({hasText: /^\d{4}-\d\d-\d\d/})
      await expect(dates).toHaveCount(2)
      for (let width = 330; width <= 420; width += 6) {
        await chat.setViewportSize({width, height: 844})
        const lines = await dates.evaluateAll((parts) =>
          parts.map((part) => new Set([...part.getClientRects()].map(({top}) => Math.round(top))).size),
        )
        expect(lines, `at ${width} px`).toEqual([1, 1])
      }
    },
  )
})
