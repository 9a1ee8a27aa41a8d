import type {Locator, Page, Request, Route} from '@playwright/test'
import {enter, expect, newUser, test} from './fixtures.ts'
import {Installation} from './support/installation.ts'
import {long, some} from './support/full-run.ts'

/* /auth/login in the popup flow while one request of the page, or of the frame in it, fails or never ends (spec §4). */

let popup: Installation
test.beforeAll(async () => {
  popup = await Installation.start({LOGIN_FLOW: 'popup'})
})
test.afterAll(() => popup.dispose())
test.beforeEach(({watch}) => watch.allow(popup.url))

/** The request without what differs from visit to visit. */
const nameOf = (request: Request) => new URL(request.url()).pathname
const form = (page: Page) => page.frameLocator('[role=dialog] iframe').getByRole('button', {name: 'Sign in'})

/** Names of all requests of one undisturbed visit, in order. */
async function requestsOfVisit(page: Page): Promise<string[]> {
  const names = new Set<string>()
  page.on('request', (request) => names.add(nameOf(request)))
  await page.goto(`${popup.url}/auth/login`)
  await form(page).waitFor()
  return [...names]
}

/** The first request of this name is given to `act`; later ones are answered. */
async function disturb(page: Page, name: string, act: (route: Route) => Promise<void>): Promise<void> {
  let isDone = false
  await page.route('**', async (route) => {
    if (isDone || nameOf(route.request()) !== name) return route.fallback()
    isDone = true
    return act(route)
  })
}

/** Never answers. */
const hang = () => new Promise<void>(() => undefined)

/** Opens the login page, and lets its time pass until it offers a way on. */
async function openUntil(page: Page, wayOn: Locator): Promise<void> {
  await page.clock.install()
  // a script that hangs holds the page's load event
  await page.goto(`${popup.url}${login}`, {waitUntil: 'commit'})
  await page.locator('#root > *').first().waitFor({state: 'attached'})
  await expect(async () => {
    await page.clock.runFor(1_000)
    expect(await wayOn.isVisible()).toBe(true)
  }).toPass({intervals: [50]})
}

const login = '/auth/login'
const frame = '/services/auth/auth/login'

test('whichever request fails once, there is the form or a button that leads to it', long, async ({browser, page}) => {
  test.setTimeout(180_000)
  const names = (await requestsOfVisit(page)).filter((name) => ![login, frame].includes(name))
  expect(names.length).toBeGreaterThan(8)
  for (const name of names) {
    await test.step(name, async () => {
      const context = await browser.newContext()
      const visit = await context.newPage()
      await disturb(visit, name, (route) => route.abort('connectionreset'))
      await visit.goto(`${popup.url}${login}`)
      const reload = visit
        .getByRole('button', {name: 'Reload this part'})
        .or(visit.getByRole('link', {name: 'Reload', exact: true}))
      await expect.poll(async () => (await form(visit).isVisible()) || (await reload.isVisible())).toBe(true)
      // a press on what is covered does nothing
      if (await reload.isVisible()) await reload.click()
      await expect(form(visit)).toBeVisible()
      await context.close()
    })
  }
})

for (const script of some(['en', 'app'])) {
  test(`the ${script} script never arrives: after a while the page can be reloaded`, long, async ({page, context}) => {
    const names = await requestsOfVisit(page)
    const name = names.find((each) => each.includes(`/${script}-`) && each.endsWith('.js')) ?? ''
    expect(name).not.toBe('')
    const visit = await context.newPage()
    await disturb(visit, name, hang)
    const reload = visit.getByRole('link', {name: 'Reload', exact: true})
    await openUntil(visit, reload)
    await reload.click()
    await expect(form(visit)).toBeVisible()
    await expect(visit.getByText('Atrium could not be loaded.')).toHaveCount(0)
  })
}

for (const part of some(['dialog-overlay', 'shell'])) {
  test(
    `the part ${part} never arrives: after a while there are two ways on, and both work`,
    long,
    async ({page, context}) => {
      const names = await requestsOfVisit(page)
      const name = names.find((each) => each.includes(`/${part}-`) && each.endsWith('.js')) ?? ''
      expect(name).not.toBe('')

      const visit = await context.newPage()
      await disturb(visit, name, hang)
      await openUntil(visit, visit.getByText('Sign-in is taking long.'))
      await visit.getByRole('button', {name: 'Reload', exact: true}).click()
      await expect(form(visit)).toBeVisible()

      const other = await context.newPage()
      await disturb(other, name, hang)
      const redirect = other.getByRole('button', {name: 'Go to sign in'})
      await openUntil(other, redirect)
      await redirect.click()
      await other.getByRole('link', {name: 'Create an account'}).click()
      await other.getByRole('button', {name: 'Create account'}).waitFor()
      await enter(other, newUser(), 'Create account')
      await expect(other.getByRole('button', {name: 'Agree and start'})).toBeVisible()
    },
  )
}

test('the frame fails to load: the dialog loads it again', long, async ({page}) => {
  await disturb(page, frame, (route) => route.abort('connectionreset'))
  await page.goto(`${popup.url}${login}`)
  await page.getByRole('dialog').getByRole('button', {name: 'Reload'}).click()
  await expect(form(page)).toBeVisible()
})
