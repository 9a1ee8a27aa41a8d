import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {blankTab, registerElsewhere} from './support/signed-in.ts'

/** docs/architecture.md §7 */
const budget = {kilobytes: 180, requests: 15}

type Transfer = {url: string; type: string; bytes: number}

/** Every request of the page from now on, with its bytes on the wire, headers included. */
async function watchTransfers(page: Page): Promise<{transfers: () => Transfer[]}> {
  const session = await page.context().newCDPSession(page)
  const asked = new Map<string, {url: string; type: string}>()
  const transfers: Transfer[] = []
  session.on('Network.requestWillBeSent', ({requestId, request, type}) => {
    if (/^https?:/.test(request.url)) asked.set(requestId, {url: request.url, type: type ?? 'Other'})
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

test('the chat screen comes cold within its budget, from this origin alone', async ({
  browser,
  context,
  installation,
}) => {
  const page = await blankTab(context, installation.url, await registerElsewhere(browser, installation.url))
  const {transfers} = await watchTransfers(page)
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await expect(page.getByRole('heading', {name: 'What are you working on?'})).toBeVisible()
  await expect(composer(page)).toBeEnabled()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => transfers().length).toBeGreaterThan(0)

  const all = transfers()
  const kilobytes = all.reduce((sum, {bytes}) => sum + bytes, 0) / 1000
  const lines = all
    .toSorted((left, right) => right.bytes - left.bytes)
    .map(
      ({url, type, bytes}) =>
        `${(bytes / 1000).toFixed(1).padStart(7)} KB  ${type.padEnd(10)} ${new URL(url).pathname}`,
    )
  const summary = `${kilobytes.toFixed(1)} of ${budget.kilobytes} KB in ${all.length} of ${budget.requests} requests`
  process.stdout.write(`chat screen, cold: ${summary}\n${lines.join('\n')}\n`)
  expect(new Set(all.map(({url}) => new URL(url).origin))).toEqual(new Set([installation.url]))
  expect(kilobytes, summary).toBeLessThanOrEqual(budget.kilobytes)
  expect(all.length, `${summary}\n${lines.join('\n')}`).toBeLessThanOrEqual(budget.requests)
})
