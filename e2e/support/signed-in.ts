import type {Browser, BrowserContext, Page} from '@playwright/test'
import {acceptTerms, composer, newPerson, register, type Person} from '../fixtures.ts'

export type SignedIn = {
  person: Person
  /** What the browser keeps of them under `vuex`: put into another browser, it is signed in there. */
  state: string
}

export const storedState = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('vuex') ?? '')

/** Waits until the browser keeps a credential: the tool is set up and nothing is to be done any more. */
export async function waitForCredential(page: Page): Promise<void> {
  await page.waitForFunction(() => /"credential":\{/.test(localStorage.getItem('vuex') ?? ''))
}

/** Registers a new user in a browser context of their own, which is closed again. */
export async function registerElsewhere(browser: Browser, url: string): Promise<SignedIn> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const person = newPerson()
  await register(page, url, person)
  await acceptTerms(page)
  await composer(page).waitFor()
  await waitForCredential(page)
  const state = await storedState(page)
  await context.close()
  return {person, state}
}

/** A tab in which the user is signed in; nothing of the app is loaded yet. */
export async function blankTab(context: BrowserContext, url: string, {state}: Pick<SignedIn, 'state'>): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/robots.txt`)
  await page.evaluate((kept) => localStorage.setItem('vuex', kept), state)
  return page
}
