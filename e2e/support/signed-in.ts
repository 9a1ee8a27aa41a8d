import type {BrowserContext, Page} from '@playwright/test'
import type {SignedIn} from './users.ts'

export const storedState = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('vuex') ?? '')

/** Waits until the browser keeps a credential: the tool is set up and nothing is to be done any more. */
export async function waitForCredential(page: Page): Promise<void> {
  await page.waitForFunction(() => /"credential":\{/.test(localStorage.getItem('vuex') ?? ''))
}

/** A tab in which the user is signed in; nothing of the app is loaded yet. */
export async function blankTab(context: BrowserContext, url: string, {state}: Pick<SignedIn, 'state'>): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/robots.txt`)
  await page.evaluate((kept) => localStorage.setItem('vuex', kept), state)
  return page
}

/** One more tab of the browser of a page: at the same address, or at another one of the app. */
export async function secondTab(page: Page, address: string = page.url()): Promise<Page> {
  const other = await page.context().newPage()
  await other.goto(new URL(address, page.url()).href)
  return other
}
