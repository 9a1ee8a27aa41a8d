import type {Page} from '@playwright/test'
import {acceptTerms, ask, composer, enter, expect, newUser, register, test} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {keptData, parseKept} from './support/private-data.ts'
import {form} from './support/sign-in-page.ts'
import {blankTab, storedState, waitForCredential} from './support/signed-in.ts'

/* Signing in and out, and what stays of it in the browser. */

/** Ends the sign-in on the server, as an operator or another device would. */
const revoke = (page: Page, url: string, state: string) =>
  page.request.post(`${url}/services/auth/oauth2/v1/revoke`, {data: {refresh_token: parseKept(state).token.refresh}})

test('register, read the terms, accept, sign out, a wrong password, sign in again', async ({page, installation}) => {
  const user = newUser()
  await register(page, installation.url, user)
  const link = page.getByRole('dialog').getByRole('link', {name: 'terms of use'})
  const [terms] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await expect(terms.getByRole('heading', {name: 'Terms of use'})).toBeVisible()
  await terms.close()
  await acceptTerms(page)
  await expect(composer(page)).toBeEnabled()

  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Log out'}).click()
  await form(page).waitFor()
  await enter(page, {...user, password: 'wrong horse battery'})
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(user.email)
  await expect(page.getByLabel('Password', {exact: true})).toHaveValue('')
  await enter(page, user)
  await expect(composer(page)).toBeEnabled()
  await expect(page).toHaveURL(`${installation.url}/chatgpt/conversations`)
})

test(
  'a page without a session signs out and in as one navigation, and the draft is there',
  long,
  async ({context, installation, signedIn}) => {
    const page = await blankTab(context, installation.url, signedIn)
    const address = `${installation.url}/chatgpt/conversations?from=a`
    await page.goto(address)
    await composer(page).fill('Half a thought')
    await expect.poll(() => keptData(page)).toContain('Half a thought')
    const left: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) left.push(new URL(request.url()).pathname)
    })
    const kept = parseKept(await storedState(page))
    await page.goto(`${installation.url}/robots.txt`)
    const state = JSON.stringify({...kept, token: undefined})
    await page.evaluate((text) => localStorage.setItem('vuex', text), state)
    await page.goto(address)
    await form(page).waitFor()
    const auth = '/services/auth/auth'
    expect(left).toEqual(['/robots.txt', '/chatgpt/conversations', `${auth}/logout`, `${auth}/login`])
    const {user, chat} = parseKept(await storedState(page))
    expect([user, chat.credential]).toEqual([undefined, undefined])
    await enter(page, signedIn.user)
    await expect(composer(page)).toHaveValue('Half a thought')
    await expect(page).toHaveURL(address)
  },
)

test('a session that ended leads to the login page and back to the same location, with the draft', async ({
  context,
  installation,
  signedIn,
}) => {
  const page = await blankTab(context, installation.url, signedIn)
  const address = `${installation.url}/chatgpt/conversations?from=a&to=b%20c`
  await page.goto(address)
  await composer(page).fill('Half a thought')
  await expect.poll(() => keptData(page)).toContain('Half a thought')
  await revoke(page, installation.url, signedIn.state)
  await page.reload()
  await form(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/services/auth/auth/login')
  await enter(page, signedIn.user)
  await expect(composer(page)).toHaveValue('Half a thought')
  await expect(page).toHaveURL(address)
})

test('signing out leaves nothing of the user in the browser', async ({page, installation, modelServer}) => {
  const user = newUser()
  await register(page, installation.url, user)
  await acceptTerms(page)
  await waitForCredential(page)
  modelServer.reset()
  modelServer.answer('A very private answer')
  await ask(page, 'A very private question')
  await expect(lastMessage(page)).toContainText('A very private answer')
  await expect(page).toHaveURL(/conversations\/[\w-]+$/)
  await composer(page).fill('A very private draft')
  await expect.poll(() => keptData(page)).toContain('A very private draft')
  const {token, user: kept, chat} = parseKept(await storedState(page))
  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Log out'}).click()
  await page.getByRole('dialog', {name: 'Log out?'}).getByRole('button', {name: 'Log out'}).click()
  await form(page).waitFor()
  const remains = await keptData(page)
  for (const secret of ['very private', user.email, kept.id, token.access, token.refresh, chat.credential.token]) {
    expect(remains).not.toContain(secret)
  }
  const me = await page.request.get(`${installation.url}/services/platform/api/v1/users/me`, {
    headers: {authorization: `Bearer ${token.access}`},
  })
  expect(me.status()).toBe(401)
  await page.goBack()
  await expect(page.getByText('very private')).toHaveCount(0)
})
