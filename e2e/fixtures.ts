import {test as base, type Page} from '@playwright/test'
import {Installation} from './support/installation.ts'
import {ModelServer} from './support/model-server.ts'

export type Person = {email: string; password: string}

type WorkerFixtures = {
  /** A model server of this worker, known to its installation as `OPENAI_BASE_URL`. */
  modelServer: ModelServer
  installation: Installation
}
type TestFixtures = {
  /** Fails the test on a request to a foreign origin, a CSP violation or an uncaught error of the page (security R07, R80). */
  watch: void
  /** A new person who has accepted the terms, on an empty chatgpt conversation. */
  person: Person
}

let count = 0
export const newPerson = (): Person => {
  count += 1
  return {email: `person-${process.pid}-${count}@example.test`, password: 'correct horse battery'}
}

/** Registers on the login page and comes back signed in; the first-run dialog is open then. */
export async function register(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', {name: 'Create an account'}).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', {exact: true}).fill(person.password)
  await page.getByRole('button', {name: 'Create account'}).click()
}

export async function signIn(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', {exact: true}).fill(person.password)
  await page.getByRole('button', {name: 'Sign in'}).click()
}

export async function acceptTerms(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', {name: 'Agree and start'}).click()
}

export const composer = (page: Page) => page.getByRole('main').getByRole('textbox').last()
export const thread = (page: Page) => page.getByRole('log')
export const answers = (page: Page) => thread(page).getByRole('article')

export async function ask(page: Page, question: string): Promise<void> {
  await composer(page).fill(question)
  await composer(page).press('Enter')
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  modelServer: [
    async ({}, use) => {
      const server = await ModelServer.start()
      await use(server)
      await server.dispose()
    },
    {scope: 'worker'},
  ],
  installation: [
    async ({modelServer}, use) => {
      const installation = await Installation.start({OPENAI_BASE_URL: modelServer.baseUrl, OPENAI_API_KEY: 'sk-canary-e2e'})
      await use(installation)
      await installation.dispose()
    },
    {scope: 'worker'},
  ],
  watch: [
    async ({context, installation}, use) => {
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
      await use()
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
    {auto: true},
  ],
  person: async ({page, installation}, use) => {
    const person = newPerson()
    await register(page, installation.url, person)
    await acceptTerms(page)
    await composer(page).waitFor()
    await use(person)
  },
})

export {expect} from '@playwright/test'
