import {readFileSync} from 'node:fs'
import {inflateRawSync} from 'node:zlib'
import type {Page, Request} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {long} from './support/full-run.ts'
import {cards, storedTasks} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {seedImages} from './support/seeded-tasks.ts'
import type {Installation} from './support/installation.ts'

/** The screen of Flux with so many images, `picture 1` the newest. */
async function openImages(page: Page, installation: Installation, count: number) {
  const userId = await page.evaluate(
    // as: the shape of what the app keeps is asserted by tests/browser
    () => (JSON.parse(localStorage.getItem('vuex') ?? '{}') as {user: {id: string}}).user.id,
  )
  await page.route('**/made/one.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
  const newest = Math.floor(Date.now() / 1_000) - 60
  const imageUrl = `${installation.url}/made/one.png`
  await seedImages(installation, {userId, count, newest, imageUrl, failedEvery: 1_000})
  await page.goto(`${installation.url}/flux`)
  await expect(cards(page)).toHaveCount(count)
}

test(
  'a favourite is kept over a reload, in the other tab and in the history, and leaves with its task',
  long,
  async ({chat: page, context, installation}) => {
    await openImages(page, installation, 6)
    const star = (at: Page, number: number) =>
      at.getByRole('button', {name: `Favourite: picture ${number}`, exact: true})
    const filter = (at: Page, count: number) => at.getByRole('button', {name: `Favourites ${count}`})
    await star(page, 2).click()
    await cards(page).nth(3).press('s')
    await expect(filter(page, 2)).toBeVisible()

    const other = await context.newPage()
    await other.route('**/made/one.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
    await other.goto(`${installation.url}/flux/history`)
    await filter(other, 2).click()
    await expect(cards(other)).toHaveCount(2)
    await star(other, 4).click()
    await expect(cards(other)).toHaveCount(1)
    await expect(star(page, 4)).toHaveAttribute('aria-pressed', 'false')

    await page.reload()
    await filter(page, 1).click()
    await expect(cards(page)).toHaveCount(1)
    await expect(cards(page)).toContainText('picture 2')
    const deleted = page.waitForResponse((response) => response.request().postData()?.includes('"delete"') === true)
    await cards(page).press('Delete')
    await expect(cards(page)).toHaveCount(0)
    await deleted
    await page.reload()
    await expect(cards(page)).toHaveCount(5)
    await expect(page.getByRole('button', {name: /^Favourites/})).toHaveCount(0)
  },
)

const asks = (request: Request, action: string) => request.postData()?.includes(`"${action}"`) === true

test(
  'a result whose deletion outlasts a reload stays away until the server has deleted it',
  long,
  async ({chat: page, installation}) => {
    await openImages(page, installation, 3)
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    let deletions = 0
    await page.route(/\/flux\/tasks/, async (route) => {
      if (!asks(route.request(), 'delete')) return route.fallback()
      deletions += 1
      await answered
      // the request of a page that was left is there no more
      await route.continue().catch(() => undefined)
    })
    await cards(page).filter({hasText: 'picture 2'}).press('Delete')
    await expect.poll(() => deletions).toBe(1)
    const listed = page.waitForResponse((response) => asks(response.request(), 'retrieve_batch'))
    await page.reload()
    await listed
    await expect.poll(() => deletions).toBeGreaterThan(1)
    await expect(cards(page)).toHaveCount(2)
    await expect(cards(page).filter({hasText: 'picture 2'})).toHaveCount(0)

    answer()
    await expect.poll(async () => (await storedTasks(page, 'flux')).count).toBe(2)
    await page.reload()
    await expect(cards(page)).toHaveCount(2)
  },
)

test(
  'chosen results whose deletions outlast a reload stay away until the server has deleted them',
  long,
  async ({chat: page, installation}) => {
    await openImages(page, installation, 6)
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const asked = new Set<string>()
    await page.route(/\/flux\/tasks/, async (route) => {
      if (!asks(route.request(), 'delete')) return route.fallback()
      asked.add(route.request().postData() ?? '')
      await answered
      // the request of a page that was left is there no more
      await route.continue().catch(() => undefined)
    })
    for (const number of [1, 2, 3, 4, 5])
      await cards(page)
        .filter({hasText: `picture ${number}`})
        .click({modifiers: ['Control']})
    await page.getByRole('toolbar', {name: 'Selection'}).getByRole('button', {name: 'Delete'}).click()
    await page.getByRole('dialog', {name: 'Delete 5 results?'}).getByRole('button', {name: 'Delete'}).click()
    // three travel at once
    await expect.poll(() => asked.size).toBe(3)
    const listed = page.waitForResponse((response) => asks(response.request(), 'retrieve_batch'))
    await page.reload()
    await listed
    await expect.poll(() => asked.size).toBe(5)
    await expect(cards(page)).toHaveCount(1)
    await expect(cards(page)).toContainText('picture 6')

    answer()
    await expect.poll(async () => (await storedTasks(page, 'flux')).count).toBe(1)
    // the second one hides nothing any more: the browser does not keep them either
    for (let reload = 0; reload < 2; reload += 1) {
      await page.reload()
      await expect(cards(page)).toHaveCount(1)
    }
  },
)

/** The entries of a ZIP archive: what its directory at the end names, and the bytes of each. */
function entriesOf(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  const entries = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)]
    const [nameSize, extraSize, noteSize] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset))
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const stored = archive.subarray(start, start + size)
    entries.set(
      archive.toString('utf8', at + 46, at + 46 + (nameSize ?? 0)),
      method === 8 ? inflateRawSync(stored) : stored,
    )
    at += 46 + (nameSize ?? 0) + (extraSize ?? 0) + (noteSize ?? 0)
  }
  return entries
}

test(
  'three are chosen and downloaded as one, then two are deleted for good',
  long,
  async ({chat: page, installation}) => {
    await openImages(page, installation, 6)
    const answers = new Map<string, Buffer>()
    await page.route('**/made/one.png*', (route) => {
      const body = Buffer.concat([pixel, Buffer.from(`picture ${answers.size}`)])
      answers.set(`${answers.size}`, body)
      return route.fulfill({contentType: 'image/png', body})
    })
    const bar = page.getByRole('toolbar', {name: 'Selection'})
    await page.getByRole('button', {name: 'Select', exact: true}).click()
    await expect(bar).toContainText('0 selected')
    await cards(page).nth(0).click()
    await cards(page)
      .nth(2)
      .click({modifiers: ['Shift']})
    await expect(bar).toContainText('3 selected')
    expect(await axeFaults(page)).toEqual([])

    answers.clear()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', {name: 'Download'}).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^flux-\d{4}-\d\d-\d\d\.zip$/)
    const entries = entriesOf(readFileSync(await download.path()))
    expect([...entries.keys()].map((name) => name.replace(/-[0-9a-f]{8}\.png$/, ''))).toEqual([
      'flux-picture-1',
      'flux-picture-2',
      'flux-picture-3',
    ])
    expect([...entries.values()].map(String)).toEqual([...answers.values()].map(String))
    await expect(bar).toHaveCount(0)

    await cards(page)
      .nth(1)
      .click({modifiers: ['Control']})
    await cards(page).nth(4).click()
    await bar.getByRole('button', {name: 'Delete'}).click()
    await page.getByRole('dialog', {name: 'Delete 2 results?'}).getByRole('button', {name: 'Delete'}).click()
    await expect(cards(page)).toHaveCount(4)
    await expect(bar).toHaveCount(0)
    await page.reload()
    await expect(cards(page)).toHaveCount(4)
    for (const [position, number] of [1, 3, 4, 6].entries())
      await expect(cards(page).nth(position)).toContainText(`picture ${number}`)
  },
)

test('a file that cannot be loaded is named, and the rest is delivered', long, async ({chat: page, installation}) => {
  await openImages(page, installation, 2)
  let count = 0
  await page.route('**/made/one.png*', (route) => {
    count += 1
    return count === 1 ? route.fulfill({status: 404}) : route.fulfill({contentType: 'image/png', body: pixel})
  })
  await page.getByRole('button', {name: 'Select', exact: true}).click()
  const bar = page.getByRole('toolbar', {name: 'Selection'})
  await bar.getByRole('button', {name: 'Select all'}).click()
  count = 0
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', {name: 'Download'}).click(),
  ])
  expect(entriesOf(readFileSync(await download.path())).size).toBe(1)
  await expect(page.getByText(/^1 file couldn't be loaded.*flux-picture-1-/)).toBeVisible()
  await expect(bar).toContainText('2 selected')
})
