import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {blankTab, registerElsewhere} from './support/signed-in.ts'

/** docs/architecture.md §7, in kilobytes of 1,000 bytes: the chat on the wire with headers, a media screen its files. */
const budget = {chat: 180, media: 60, requests: 15}

type Transfer = {url: string; type: string; bytes: number; headers: number}

/** Every request of the page from now on. */
async function watchTransfers(page: Page): Promise<{transfers: () => Transfer[]}> {
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
const kilobytesOf = (transfers: readonly Transfer[]) => transfers.reduce((sum, {bytes}) => sum + bytes, 0) / 1000

const linesOf = (transfers: readonly Transfer[]) =>
  transfers
    .toSorted((left, right) => right.bytes - left.bytes)
    .map(
      ({url, type, bytes}) =>
        `${(bytes / 1000).toFixed(1).padStart(7)} KB  ${type.padEnd(10)} ${new URL(url).pathname}`,
    )
    .join('\n')

test('the chat screen comes cold within its budget, a media screen adds no more than its own, all from this origin', async ({
  browser,
  context,
  installation,
}) => {
  const signedIn = await registerElsewhere(browser, installation.url)
  const page = await blankTab(context, installation.url, signedIn)
  const chat = await watchTransfers(page)
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await expect(page.getByRole('heading', {name: 'What are you working on?'})).toBeVisible()
  await expect(composer(page)).toBeEnabled()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => chat.transfers().length).toBeGreaterThan(0)

  const all = [...chat.transfers()]
  const client = all.filter(isClient)
  const summary = `${kilobytesOf(all).toFixed(1)} of ${budget.chat} KB in ${all.length} of ${budget.requests} requests (without the answers of the services ${kilobytesOf(client).toFixed(1)} KB)`
  process.stdout.write(`chat screen, cold: ${summary}\n${linesOf(all)}\n`)
  expect(new Set(all.map(({url}) => new URL(url).origin))).toEqual(new Set([installation.url]))
  expect(kilobytesOf(all), summary).toBeLessThanOrEqual(budget.chat)
  expect(all.length, `${summary}\n${linesOf(all)}`).toBeLessThanOrEqual(budget.requests)

  for (const [tool, name] of [
    ['kling', 'Kling'],
    ['suno', 'Suno'],
  ] as const) {
    const other = await blankTab(context, installation.url, signedIn)
    const media = await watchTransfers(other)
    await other.goto(`${installation.url}/${tool}`)
    await expect(other.getByRole('button', {name: `Change tool, ${name}`})).toBeVisible()
    await expect(
      other.getByRole('main').or(other.getByRole('complementary')).getByRole('textbox').first(),
    ).toBeVisible()
    await other.waitForLoadState('networkidle')
    await expect.poll(() => media.transfers().length).toBeGreaterThan(0)
    const known = new Set(client.map(({url}) => new URL(url).pathname))
    const more = media
      .transfers()
      .filter((transfer) => isClient(transfer) && transfer.type !== 'Document')
      .filter(({url}) => !known.has(new URL(url).pathname))
    const files = more.map((transfer) => ({...transfer, bytes: transfer.bytes - transfer.headers}))
    const beyond = `${kilobytesOf(files).toFixed(1)} of ${budget.media} KB beyond the shell`
    process.stdout.write(`${name}: ${beyond}\n${linesOf(files)}\n`)
    expect(more.length).toBeGreaterThan(0)
    expect(kilobytesOf(files), `${beyond}\n${linesOf(files)}`).toBeLessThanOrEqual(budget.media)
    await other.close()
  }
})
