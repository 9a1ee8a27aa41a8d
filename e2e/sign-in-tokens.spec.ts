import type {Page} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {loginVisits, tokenCalls} from './support/calls.ts'
import {long} from './support/full-run.ts'
import {parseKept, withToken} from './support/private-data.ts'
import {blankTab, storedState} from './support/signed-in.ts'
import {chatServiceId} from './support/users.ts'

/* An access token that is not accepted any more is renewed once, whatever asked with it. */

test('an access token that expired is renewed in silence', async ({context, installation, signedIn}) => {
  const state = withToken(signedIn.state, {access: 'at-expired-expired-expired'})
  const page = await blankTab(context, installation.url, {state})
  const [calls, visits] = [tokenCalls(context), loginVisits(page)]
  await page.goto(`${installation.url}/chatgpt/conversations`)
  const refresh = parseKept(state).token.refresh
  // what the browser remembers is on the screen before any call is answered, so the new token is what tells
  await expect.poll(async () => parseKept(await storedState(page)).token.refresh).not.toBe(refresh)
  await expect(composer(page)).toBeEnabled()
  expect(calls).toEqual([{grant_type: 'refresh_token', refresh_token: refresh}])
  expect(visits).toEqual([])
})

/**
 * Holds five calls of a tool's page that carry this token (site, rate, the tool's service, two of its applications)
 * until the last is there, then refuses them all. Those it needs to get that far, its user and the chat's service,
 * pass.
 */
async function refuseFive(page: Page, access: string): Promise<string[]> {
  const refused: string[] = []
  let release: () => void = () => {}
  const all = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/api\/v1\/(sites|services|applications|exchange-rate)/, async (route) => {
    const {pathname} = new URL(route.request().url())
    const isOwn = route.request().headers()['authorization'] === `Bearer ${access}`
    if (!isOwn || refused.length === 5 || pathname.endsWith(chatServiceId)) return route.continue()
    refused.push(pathname)
    if (refused.length === 5) release()
    await all
    return route.fulfill({status: 401, json: {code: 'unauthorized'}})
  })
  return refused
}

test('five calls that are refused at once cause one refresh', long, async ({context, installation, signedIn}) => {
  const page = await blankTab(context, installation.url, signedIn)
  const {access, refresh} = parseKept(signedIn.state).token
  const refused = await refuseFive(page, access)
  const [calls, visits] = [tokenCalls(context), loginVisits(page)]
  const listed = page.waitForResponse((response) => response.url().endsWith('/sora/tasks') && response.ok())
  await page.goto(`${installation.url}/sora?lang=de`)
  await expect.poll(() => refused.length).toBe(5)
  await expect.poll(async () => parseKept(await storedState(page)).token.access).not.toBe(access)
  await listed
  expect(calls).toEqual([{grant_type: 'refresh_token', refresh_token: refresh}])
  expect(visits).toEqual([])
  await page.unrouteAll({behavior: 'wait'})
})

test(
  'five calls that are refused at once, and the refresh as well, cause one login',
  long,
  async ({context, installation, signedIn}) => {
    const page = await blankTab(context, installation.url, signedIn)
    const refused = await refuseFive(page, parseKept(signedIn.state).token.access)
    const [calls, visits] = [tokenCalls(context), loginVisits(page)]
    await page.route('**/oauth2/v1/token', (route) => route.fulfill({status: 400, json: {code: 'invalid_grant'}}))
    await page.goto(`${installation.url}/sora?lang=de`)
    await page.getByRole('button', {name: 'Anmelden'}).waitFor()
    expect(refused).toHaveLength(5)
    expect(calls).toHaveLength(1)
    expect(visits).toHaveLength(1)
  },
)
