import {test as base, type Browser, type BrowserContext, type Page} from '@playwright/test'
import {Cable} from './support/cable.ts'
import {composer} from './support/chat-page.ts'
import {Installation} from './support/installation.ts'
import {ModelServer} from './support/model-server.ts'

export type Person = {email: string; password: string}

/** What a browser keeps of a user who has signed in and accepted the terms. */
type Account = {person: Person; state: string; madeAt: number}

export type Watch = {
  /** One more installation of ours that this test may talk to. */
  allow: (url: string) => void
}

type WorkerFixtures = {
  /** Gives the account of this worker, registered through the pages by the first test that wants it. */
  account: (browser: Browser) => Promise<Account>
  /** A model server of this worker, known to its installation as `OPENAI_BASE_URL`. */
  modelServer: ModelServer
  installation: Installation
}
type TestFixtures = {
  /** `chat` is of a new user, whose lists of tasks nobody else fills (`test.use({hasOwnPerson: true})`). */
  hasOwnPerson: boolean
  /** Whose page `chat` is. */
  chatAccount: Account
  /** Fails the test on a request to a foreign origin, a CSP violation or an uncaught error of the page (security R07, R80). */
  watch: Watch
  /** Ends the routes of a test before its pages close: a response that is still on its way then is no failure. */
  routes: void
  /** A new user who has accepted the terms, on an empty chatgpt conversation. */
  person: Person
  /**
   * The page of the worker's account on an empty chatgpt conversation. Much faster than `person`; the conversations of
   * earlier tests are in its list, unless `hasOwnPerson` is set. The model server is reset.
   */
  chat: Page
  /** The same on a page whose connection to the server the test can break. */
  wired: {page: Page; cable: Cable}
}

/** Access tokens live 15 minutes and refresh tokens work once: an account is not shared for longer than that. */
const accountLifetime = 10 * 60_000

let count = 0
export const newPerson = (): Person => {
  count += 1
  return {email: `person-${process.pid}-${count}@example.test`, password: 'correct horse battery'}
}

/** Fills the form that is shown, of the login or of the registration page, and sends it. */
export async function enter(
  page: Pick<Page, 'getByLabel' | 'getByRole'>,
  {email, password}: Person,
  button: 'Sign in' | 'Create account' = 'Sign in',
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', {exact: true}).fill(password)
  await page.getByRole('button', {name: button}).click()
}

/** Registers on the login page and comes back signed in; the first-run dialog is open then. */
export async function register(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', {name: 'Create an account'}).click()
  // the page before has an email field too
  await page.getByRole('button', {name: 'Create account'}).waitFor()
  await enter(page, person, 'Create account')
}

export async function signIn(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(url)
  await enter(page, person)
}

export async function acceptTerms(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', {name: 'Agree and start'}).click()
}

export {answers, ask, composer, thread} from './support/chat-page.ts'

/** Registers a new user through the pages, with the terms accepted and the chat set up. */
async function makeAccount(browser: Browser, url: string): Promise<Account> {
  const person = newPerson()
  const context = await browser.newContext({locale: 'en-US'})
  const page = await context.newPage()
  await register(page, url, person)
  await acceptTerms(page)
  await page.getByRole('dialog').waitFor({state: 'detached'})
  await page.waitForFunction(() => (localStorage.getItem('vuex') ?? '').includes('"credential"'))
  const state = await page.evaluate(() => localStorage.getItem('vuex') ?? '')
  await context.close()
  return {person, state, madeAt: Date.now()}
}

/** A new tab on an empty chatgpt conversation of somebody who is signed in. */
async function openChat(context: BrowserContext, url: string, {state}: Account): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/robots.txt`)
  await page.evaluate((kept) => localStorage.setItem('vuex', kept), state)
  await page.goto(`${url}/chatgpt/conversations`)
  await composer(page).waitFor()
  return page
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  modelServer: [
    async ({}, give) => {
      const server = await ModelServer.start()
      await give(server)
      await server.dispose()
    },
    {scope: 'worker'},
  ],
  installation: [
    async ({modelServer}, give) => {
      const installation = await Installation.start({
        OPENAI_BASE_URL: modelServer.baseUrl,
        OPENAI_API_KEY: 'sk-canary-e2e',
      })
      await give(installation)
      await installation.dispose()
    },
    {scope: 'worker'},
  ],
  account: [
    async ({installation}, give) => {
      let account: Account | undefined
      await give(async (browser) => {
        if (account !== undefined && Date.now() - account.madeAt < accountLifetime) return account
        account = await makeAccount(browser, installation.url)
        return account
      })
    },
    {scope: 'worker'},
  ],
  watch: [
    async ({context, installation}, give) => {
      const faults: string[] = []
      const own = new Set([new URL(installation.url).host])
      context.on('request', (request) => {
        const url = new URL(request.url())
        if (/^https?:$/.test(url.protocol) && !own.has(url.host)) faults.push(`request to ${url.host}`)
      })
      context.on('console', (message) => {
        if (/Content Security Policy|Trusted ?Type/i.test(message.text())) faults.push(message.text())
      })
      context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`))
      await give({allow: (url) => own.add(new URL(url).host)})
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
    {auto: true},
  ],
  routes: [
    async ({context}, give) => {
      await give()
      const routed = [context, ...context.pages()]
      await Promise.all(routed.map((each) => each.unrouteAll({behavior: 'ignoreErrors'})))
    },
    {auto: true},
  ],
  hasOwnPerson: [false, {option: true}],
  chatAccount: async ({browser, installation, account, hasOwnPerson}, give) => {
    await give(hasOwnPerson ? await makeAccount(browser, installation.url) : await account(browser))
  },
  chat: async ({context, installation, chatAccount, modelServer}, give) => {
    modelServer.reset()
    await give(await openChat(context, installation.url, chatAccount))
    modelServer.release()
  },
  wired: async ({browser, context, installation, account, modelServer, watch}, give) => {
    modelServer.reset()
    const cable = await Cable.to(installation.port)
    watch.allow(cable.url)
    await give({cable, page: await openChat(context, cable.url, await account(browser))})
    modelServer.release()
    await context.setOffline(false)
    await cable.dispose()
  },
  person: async ({page, installation}, give) => {
    const person = newPerson()
    await register(page, installation.url, person)
    await acceptTerms(page)
    await page.getByRole('dialog').waitFor({state: 'detached'})
    await composer(page).waitFor()
    await give(person)
  },
})

export {expect} from '@playwright/test'
