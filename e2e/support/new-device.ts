import type {Browser, Page} from '@playwright/test'
import {holdDelays} from './held-delays.ts'
import {HeldRoute} from './held-route.ts'
import {blankTab} from './signed-in.ts'
import type {SignedIn} from './users.ts'

/** `reads`: requests for the list of conversations; `setUp`: those for the application of the chat. */
export type NewDevice = {page: Page; reads: HeldRoute; setUp: HeldRoute}
type Owner = {browser: Browser; url: string; signedIn: SignedIn}

/** A tab of another browser of the user, which keeps no copies; nothing of the app is loaded yet. */
export async function otherDevice(browser: Browser, url: string, signedIn: SignedIn): Promise<Page> {
  const {chat: _, ...state} = JSON.parse(signedIn.state)
  return blankTab(await browser.newContext(), url, {state: JSON.stringify(state)})
}

/**
 * A device of the user that keeps no copies of conversations and no credential; long delays end when the test says so.
 */
export async function openNewDevice({browser, url, signedIn}: Owner): Promise<NewDevice> {
  const page = await otherDevice(browser, url, signedIn)
  await holdDelays(page)
  const isRead = (body: string) => ['retrieve_batch', 'revisions'].some((action) => body.includes(`"${action}"`))
  const reads = await HeldRoute.on(page, '**/aichat/conversations', (request) => isRead(request.postData() ?? ''))
  const setUp = await HeldRoute.on(page, '**/api/v1/applications/*', 'GET')
  await page.goto(`${url}/chatgpt/conversations`)
  return {page, reads, setUp}
}
