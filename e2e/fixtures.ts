import {test as base, type Page} from '@playwright/test'
import {Cable} from './support/cable.ts'
import {composer} from './support/chat-page.ts'
import {Installation} from './support/installation.ts'
import {ModelServer} from './support/model-server.ts'
import {blankTab} from './support/signed-in.ts'
import {createUser, newUser, type SignedIn, type User} from './support/users.ts'

export type Watch = {
  /** One more installation of ours that this test may talk to. */
  allow: (url: string) => void
}

type WorkerFixtures = {
  /** A model server of this worker, known to its installation as `OPENAI_BASE_URL`. */
  modelServer: ModelServer
  installation: Installation
}
type TestFixtures = {
  /** The language of the user of `anyPhone` and `anyDesktop`; `undefined`: the one in which `npm test` walks each. */
  userLocale: string | undefined
  /** A new user of this test, who is signed in and has accepted the terms. */
  signedIn: SignedIn
  /**
   * Fails the test on a request to a foreign origin, a CSP violation or an uncaught error of the page (security R07,
   * R80).
   */
  watch: Watch
  /**
   * Ends the routes of a test before its pages close: a response that is still on its way then is no failure. The pages
   * of a test that failed are kept as screenshots.
   */
  routes: void
  /** A new user, registered through the pages, on an empty chatgpt conversation of `page`. */
  user: User
  /**
   * A tab of `signedIn` in which nothing of the app is loaded yet, for a journey that begins on another page or seeds
   * first: a page that is opened costs a second of a processor. The model server is reset.
   */
  tab: Page
  /**
   * The page of `signedIn` on an empty chatgpt conversation: nothing of an earlier test is there. The model server is
   * reset.
   */
  chat: Page
  /** The same on a page whose connection to the server the test can break. */
  wired: {page: Page; cable: Cable}
}

/** Fills the form that is shown, of the login or of the registration page, and sends it. */
export async function enter(
  page: Pick<Page, 'getByLabel' | 'getByRole'>,
  {email, password}: User,
  button: 'Sign in' | 'Create account' = 'Sign in',
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', {exact: true}).fill(password)
  await page.getByRole('button', {name: button}).click()
}

/** Registers on the login page and comes back signed in; the first-run dialog is open then. */
export async function register(page: Page, url: string, user: User): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', {name: 'Create an account'}).click()
  // the page before has an email field too
  await page.getByRole('button', {name: 'Create account'}).waitFor()
  await enter(page, user, 'Create account')
}

export async function signIn(page: Page, url: string, user: User): Promise<void> {
  await page.goto(url)
  await enter(page, user)
}

export async function acceptTerms(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', {name: 'Agree and start'}).click()
}

export {answers, ask, composer, thread} from './support/chat-page.ts'
export {newUser, type User} from './support/users.ts'

/** An empty chatgpt conversation. */
async function openChat(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/chatgpt/conversations`)
  await composer(page).waitFor()
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  userLocale: [undefined, {option: true}],
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
    async ({context}, give, journey) => {
      await give()
      if (journey.status !== journey.expectedStatus) {
        await Promise.allSettled(
          context
            .pages()
            .map((page, index) => page.screenshot({path: journey.outputPath(`page-${index + 1}.png`), timeout: 5_000})),
        )
      }
      const routed = [context, ...context.pages()]
      await Promise.all(routed.map((each) => each.unrouteAll({behavior: 'ignoreErrors'})))
    },
    {auto: true},
  ],
  signedIn: async ({installation}, give) => {
    await give(await createUser(installation.url))
  },
  tab: async ({context, installation, signedIn, modelServer}, give) => {
    modelServer.reset()
    await give(await blankTab(context, installation.url, signedIn))
    modelServer.release()
  },
  chat: async ({tab, installation}, give) => {
    await openChat(tab, installation.url)
    await give(tab)
  },
  wired: async ({context, installation, signedIn, modelServer, watch}, give) => {
    modelServer.reset()
    const cable = await Cable.to(installation.port)
    watch.allow(cable.url)
    const page = await blankTab(context, cable.url, signedIn)
    await openChat(page, cable.url)
    await give({cable, page})
    modelServer.release()
    await context.setOffline(false)
    await cable.dispose()
  },
  user: async ({page, installation}, give) => {
    const user = newUser()
    await register(page, installation.url, user)
    await acceptTerms(page)
    await page.getByRole('dialog').waitFor({state: 'detached'})
    await composer(page).waitFor()
    await give(user)
  },
})

export {expect} from '@playwright/test'
