import type {BrowserContext, Page} from '@playwright/test'
import {localeNames} from '../src/tools/locales.mjs'
import {composer, expect, test} from './fixtures.ts'
import {cards, generate, made, openTool, settings} from './support/media-page.ts'
import {copyTasks} from './support/seeded-tasks.ts'
import {holdDelays} from './support/held-delays.ts'
import {blankTab} from './support/signed-in.ts'
import {createUser, type SignedIn} from './support/users.ts'
import {createOrder, openPackages} from './support/buy-credits.ts'
import {isFull, long} from './support/full-run.ts'

/**
 * docs/architecture.md §7, in kilobytes of 1,000 bytes: the chat on the wire with headers, a media screen and a page of
 * the console their files.
 */
const budget = {chat: 200, media: 70, console: 60, requests: 15}

type Transfer = {url: string; type: string; bytes: number; headers: number}

/** Milliseconds after which a page that is seen loads what follows its start (`src/app/main.tsx`). */
const afterStart = 5_000

/**
 * Every request of the page from now on, but for what follows its start: a slow machine would have that in one
 * measurement and not in another.
 */
async function watchTransfers(page: Page): Promise<{transfers: () => Transfer[]}> {
  await holdDelays(page, [afterStart])
  const session = await page.context().newCDPSession(page)
  const asked = new Map<string, {url: string; type: string; headers: number}>()
  const transfers: Transfer[] = []
  session.on('Network.requestWillBeSent', ({requestId, request, type}) => {
    if (/^https?:/.test(request.url)) asked.set(requestId, {url: request.url, type: type ?? 'Other', headers: 0})
  })
  // what arrived with the head of the answer, which is the head alone
  session.on('Network.responseReceived', ({requestId, response}) => {
    const request = asked.get(requestId)
    if (request !== undefined) request.headers = response.encodedDataLength
  })
  session.on('Network.loadingFinished', ({requestId, encodedDataLength}) => {
    const request = asked.get(requestId)
    if (request === undefined) return
    asked.delete(requestId)
    transfers.push({...request, bytes: encodedDataLength})
  })
  session.on('Network.loadingFailed', ({requestId}) => {
    const request = asked.get(requestId)
    if (request !== undefined) transfers.push({...request, bytes: 0})
    asked.delete(requestId)
  })
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  return {transfers: () => (asked.size === 0 ? transfers : [])}
}

/** The page, its scripts, styles and words; what the services answer is not the client's. */
const isClient = ({url}: Transfer) => !new URL(url).pathname.startsWith('/services/')
const pathOf = ({url}: Transfer) => new URL(url).pathname
const kilobytesOf = (transfers: readonly Transfer[]) => transfers.reduce((sum, {bytes}) => sum + bytes, 0) / 1000

const linesOf = (transfers: readonly Transfer[]) =>
  transfers
    .toSorted((left, right) => right.bytes - left.bytes)
    .map(
      ({url, type, bytes}) =>
        `${(bytes / 1000).toFixed(1).padStart(7)} KB  ${type.padEnd(10)} ${new URL(url).pathname}`,
    )
    .join('\n')

/** Greek has the most bytes of words; `npm run test:full` measures every language. */
const languages = isFull ? localeNames : ['el']

for (const language of languages) {
  test(`the chat screen in ${language} comes cold within its budget, all from this origin`, async ({
    browser,
    context,
    installation,
  }) => {
    // the first visit of an installation opens its site, which is no part of any later one
    const earlier = await browser.newContext()
    const first = await blankTab(earlier, installation.url, await createUser(installation.url))
    await first.goto(`${installation.url}/chatgpt/conversations`)
    await first.waitForLoadState('networkidle')
    await earlier.close()
    const signedIn = await createUser(installation.url)
    await context.addCookies([{name: 'LOCALE', value: language, url: installation.url}])
    const page = await blankTab(context, installation.url, signedIn)
    const chat = await watchTransfers(page)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(composer(page)).toBeEnabled()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await page.waitForLoadState('networkidle')
    await expect.poll(() => chat.transfers().length).toBeGreaterThan(0)

    const all = [...chat.transfers()]
    const client = all.filter(isClient)
    const summary = `${kilobytesOf(all).toFixed(1)} of ${budget.chat} KB in ${all.length} of ${budget.requests} requests (without the answers of the services ${kilobytesOf(client).toFixed(1)} KB)`
    process.stdout.write(`chat screen in ${language}, cold: ${summary}\n${linesOf(all)}\n`)
    expect(new Set(all.map(({url}) => new URL(url).origin))).toEqual(new Set([installation.url]))
    expect(kilobytesOf(all), summary).toBeLessThanOrEqual(budget.chat)
    expect(all.length, `${summary}\n${linesOf(all)}`).toBeLessThanOrEqual(budget.requests)
  })
}

/**
 * `npm test` measures a feed that fills the screen, which has all that a shorter one has; `npm run test:full` each of
 * them.
 */

/** A tool, and what its form wants beside a prompt. */
type MeasuredTool = {tool: string; name: string; fill?: (page: Page) => Promise<void>}

/** The heaviest of all; the full run has one of each form and kind of result. */
const mediaTools: MeasuredTool[] = [{tool: 'midjourney', name: 'Midjourney'}]
if (isFull) {
  mediaTools.push(
    {tool: 'suno', name: 'Suno'},
    {tool: 'kling', name: 'Kling'},
    {tool: 'flux', name: 'Flux'},
    {
      tool: 'qrart',
      name: 'QR Art',
      fill: (page) => settings(page).getByRole('textbox', {name: 'Content'}).fill('https://example.com/kite'),
    },
  )
}

/** Measures the requests of a screen with an empty cache, from its opening until it rests. */
async function openCold(
  context: BrowserContext,
  url: string,
  signedIn: SignedIn,
  see: (page: Page) => Promise<void>,
): Promise<Transfer[]> {
  const page = await blankTab(context, new URL(url).origin, signedIn)
  const {transfers} = await watchTransfers(page)
  await page.goto(url)
  await see(page)
  await page.waitForLoadState('networkidle')
  await expect.poll(() => transfers().length).toBeGreaterThan(0)
  const all = transfers().filter(isClient)
  await page.close()
  return all
}

const seeChat = (page: Page) => expect(composer(page)).toBeEnabled()

/** Files of the page at `path` that an empty new chat of the same user, in the same browser, has not. */
async function filesBeyondShell(
  context: BrowserContext,
  url: string,
  signedIn: SignedIn,
  path: string,
  see: (page: Page) => Promise<void>,
): Promise<Transfer[]> {
  const shell = new Set((await openCold(context, `${url}/chatgpt/conversations`, signedIn, seeChat)).map(pathOf))
  return (await openCold(context, `${url}${path}`, signedIn, see))
    .filter((transfer) => transfer.type !== 'Document' && !shell.has(pathOf(transfer)))
    .map((transfer) => ({...transfer, bytes: transfer.bytes - transfer.headers}))
}

function expectWithin(files: readonly Transfer[], most: number, what: string) {
  const beyond = `${what}: ${kilobytesOf(files).toFixed(1)} of ${most} KB beyond the shell in ${files.length} files`
  process.stdout.write(`${beyond}\n${linesOf(files)}\n`)
  expect(files.length).toBeGreaterThan(0)
  expect.soft(kilobytesOf(files), `${beyond}\n${linesOf(files)}`).toBeLessThanOrEqual(most)
}

/** The usage page has what the others have, and a chart. */
const consolePages = isFull ? ['usages', 'applications', 'orders'] : ['usages']
const seeHeading = (page: Page) => expect(page.getByRole('heading', {level: 1})).toBeVisible()

for (const name of consolePages) {
  test(`the ${name} of the console add no more than their budget to the shell`, async ({context, installation}) => {
    const signedIn = await createUser(installation.url)
    const files = await filesBeyondShell(context, installation.url, signedIn, `/console/${name}`, seeHeading)
    expectWithin(files, budget.console, `console, ${name}`)
  })
}

test(
  'the pages of an application and of an order add no more than their budget',
  long,
  async ({context, installation}) => {
    const signedIn = await createUser(installation.url)
    const buyer = await blankTab(context, installation.url, signedIn)
    await buyer.goto(`${installation.url}/chatgpt/conversations`)
    await openPackages(buyer)
    const extra = new URL(buyer.url()).pathname
    await createOrder(buyer)
    const order = new URL(buyer.url()).pathname
    await buyer.close()
    const pages = [extra, extra.replace(/extra$/, 'subscribe'), extra.replace(/extra$/, 'credentials'), order]
    for (const path of pages) {
      const files = await filesBeyondShell(context, installation.url, signedIn, path, seeHeading)
      expectWithin(files, budget.console, `console, ${path.replace(/[\da-f-]{36}/, '{id}')}`)
    }
  },
)

for (const {tool, name, fill} of mediaTools) {
  test(`the screen of ${name} adds no more than its budget to the shell, with as many results as it shows at once`, async ({
    browser,
    context,
    installation,
  }) => {
    const {url} = installation
    const signedIn = await createUser(url)
    const seeResults = (count: number) => async (page: Page) => {
      await expect(page.getByRole('button', {name: `Change tool, ${name}`})).toBeVisible()
      await expect(page.getByRole('complementary').getByRole('textbox').first()).toBeVisible()
      if (count === 0) return expect(page.getByRole('list', {name: 'Examples'})).toBeVisible()
      await expect(cards(page).first()).toHaveAttribute('aria-setsize', `${count}`)
      await expect(
        cards(page)
          .first()
          .getByRole('button', {name: /^Download/})
          .first(),
      ).toBeAttached()
    }
    const measure = async (at: BrowserContext, count: number, what: string) => {
      const files = await filesBeyondShell(at, url, signedIn, `/${tool}`, seeResults(count))
      expectWithin(files, budget.media, `${name}, ${what}`)
    }
    /** Measures in a browser that has nothing of ours but the sign-in. */
    const measureAnew = async (count: number) => {
      const fresh = await browser.newContext({viewport: {width: 1440, height: 900}})
      await measure(fresh, count, `${count} results`)
      await fresh.close()
    }

    if (isFull) await measureAnew(0)
    const maker = await blankTab(context, url, signedIn)
    await openTool(maker, `/${tool}`)
    await fill?.(maker)
    await generate(maker, 'a red kite over the sea')
    await made(
      cards(maker)
        .getByRole('button', {name: /^Download/})
        .first(),
    )
    if (isFull) await measureAnew(1)
    await copyTasks(installation, {service: tool, count: 30})
    await measureAnew(30)
    // its database is in use: the shell opens it, and the tool reads what it kept
    if (isFull) await measure(context, 30, '30 results where the first was made')
  })
}
