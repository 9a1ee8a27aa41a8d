import type {Browser, BrowserContext} from '@playwright/test'
import {answers, ask, composer, expect, signIn, test} from './fixtures.ts'
import {tokenCalls} from './support/calls.ts'
import {conversationId, lastMessage} from './support/chat-page.ts'
import {parseKept, withToken} from './support/private-data.ts'
import {blankTab, registerElsewhere, storedState} from './support/signed-in.ts'

/** A person of this test alone, on a new chat. */
async function chatTab(browser: Browser, context: BrowserContext, url: string) {
  const signedIn = await registerElsewhere(browser, url)
  const here = `${url}/chatgpt/conversations`
  const first = await blankTab(context, url, signedIn)
  await first.goto(here)
  return {here, first, signedIn}
}

test('signing out in one tab signs out the other, and signing in again both', async ({
  browser,
  context,
  installation,
  modelServer,
}) => {
  const {here, first, signedIn} = await chatTab(browser, context, installation.url)
  const second = await context.newPage()
  await second.goto(here)
  modelServer.reset()
  modelServer.answer('only for me')
  await ask(second, 'Mine')
  await expect(lastMessage(second)).toContainText('only for me')

  await first.getByRole('button', {name: 'Account', exact: true}).click()
  await first.getByRole('menuitem', {name: 'Log out'}).click()
  await expect(second.getByText('Sign in again to continue.')).toBeVisible()
  await expect(second.getByText('only for me')).toHaveCount(0)
  expect(await storedState(second)).not.toContain('only for me')

  // signing out leads there by itself
  await first.getByLabel('Password', {exact: true}).waitFor()
  await signIn(first, here, signedIn.person)
  await expect(composer(first)).toBeEnabled()
  await expect(composer(second)).toBeEnabled()
  await expect(second.getByText('Sign in again to continue.')).toHaveCount(0)
})

test('two tabs refresh once, and both go on with the new token', async ({browser, context, installation}) => {
  const {state} = await registerElsewhere(browser, installation.url)
  const due = withToken(state, {refreshAt: 0})
  const calls = tokenCalls(context)
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await context.route('**/oauth2/v1/token', async (route) => {
    await released
    await route.continue()
  })
  const first = await blankTab(context, installation.url, {state: due})
  const second = await context.newPage()
  const known = [first, second].map((tab) => tab.waitForResponse((response) => response.url().endsWith('/users/me')))
  await Promise.all([first, second].map((tab) => tab.goto(`${installation.url}/chatgpt/conversations`)))
  await Promise.all(known)
  // both know the person, so both have found their token due
  await Promise.all([first, second].map((tab) => expect(composer(tab)).toBeEnabled()))
  release()
  await expect
    .poll(async () => parseKept(await storedState(first)).token.access)
    .not.toBe(parseKept(state).token.access)
  const {access} = parseKept(await storedState(first)).token
  for (const tab of [first, second]) {
    const [me] = await Promise.all([tab.waitForRequest((request) => request.url().endsWith('/users/me')), tab.reload()])
    expect(me.headers()['authorization']).toBe(`Bearer ${access}`)
  }
  expect(calls).toEqual([{grant_type: 'refresh_token', refresh_token: parseKept(state).token.refresh}])
})

test('two tabs on one conversation: the other one follows the answer and asks on from there', async ({
  browser,
  context,
  installation,
  modelServer,
}) => {
  const {here, first} = await chatTab(browser, context, installation.url)
  modelServer.reset()
  modelServer.answer((prompt) => `${prompt} answered`)
  await ask(first, 'One')
  await expect(lastMessage(first)).toContainText('One answered')
  const second = await context.newPage()
  await second.goto(`${here}/${await conversationId(first)}`)
  await expect(lastMessage(second)).toContainText('One answered')

  await ask(first, 'Two')
  await expect(lastMessage(second)).toContainText('Two answered')
  await ask(second, 'Three')
  await expect(lastMessage(first)).toContainText('Three answered')
  for (const tab of [first, second]) await expect(answers(tab)).toHaveCount(6)
  expect(modelServer.calls).toHaveLength(3)
})
