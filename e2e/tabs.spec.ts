import type {BrowserContext, Page} from '@playwright/test'
import {answers, ask, composer, expect, signIn, test} from './fixtures.ts'
import {tokenCalls} from './support/calls.ts'
import {conversationId, ended, lastMessage, storedConversations, thread} from './support/chat-page.ts'
import type {Installation} from './support/installation.ts'
import type {ModelServer} from './support/model-server.ts'
import {parseKept, withToken} from './support/private-data.ts'
import {blankTab, storedState} from './support/signed-in.ts'
import {createUser} from './support/users.ts'
import {long} from './support/full-run.ts'

/** A user of this test alone, on a new chat. */
async function chatTab(context: BrowserContext, url: string) {
  const signedIn = await createUser(url)
  const here = `${url}/chatgpt/conversations`
  const first = await blankTab(context, url, signedIn)
  await first.goto(here)
  return {here, first, signedIn}
}

test(
  'signing out in one tab signs out the other, and signing in again both',
  long,
  async ({context, installation, modelServer}) => {
    const {here, first, signedIn} = await chatTab(context, installation.url)
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
    await signIn(first, here, signedIn.user)
    await expect(composer(first)).toBeEnabled()
    await expect(composer(second)).toBeEnabled()
    await expect(second.getByText('Sign in again to continue.')).toHaveCount(0)
  },
)

test('two tabs refresh once, and both go on with the new token', async ({context, installation}) => {
  const {state} = await createUser(installation.url)
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
  // both know the user, so both have found their token due
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

/** Asks at once, or as soon as the answer that the other tab asked for is complete: Enter sends nothing before. */
async function askWhenFree(page: Page, question: string): Promise<void> {
  await composer(page).fill(question)
  await expect(async () => {
    await composer(page).press('Enter')
    await expect(composer(page)).toHaveValue('', {timeout: 1_000})
  }).toPass()
}

type TabParts = {context: BrowserContext; installation: Installation; modelServer: ModelServer}

/** Two tabs of a new user on one conversation with one answer; each question is answered with itself. */
async function twoTabs({context, installation, modelServer}: TabParts) {
  const {here, first} = await chatTab(context, installation.url)
  modelServer.reset()
  modelServer.answer((prompt) => `${prompt} answered`)
  await ask(first, 'One')
  await expect(lastMessage(first)).toContainText('One answered')
  const id = await conversationId(first)
  const second = await context.newPage()
  await second.goto(`${here}/${id}`)
  await expect(lastMessage(second)).toContainText('One answered')
  return {first, second, id}
}

test(
  'two tabs on one conversation: the other one follows the answer and asks on from there',
  long,
  async ({context, installation, modelServer}) => {
    const {first, second} = await twoTabs({context, installation, modelServer})

    await ask(first, 'Two')
    await expect(lastMessage(second)).toContainText('Two answered')
    await ended(second)
    await ask(second, 'Three')
    await expect(lastMessage(first)).toContainText('Three answered')
    for (const tab of [first, second]) await expect(answers(tab)).toHaveCount(6)
    expect(modelServer.calls).toHaveLength(3)
  },
)

test(
  'two tabs ask within a moment: both questions are answered, one after the other',
  long,
  async ({context, installation, modelServer}) => {
    const {first, second} = await twoTabs({context, installation, modelServer})

    modelServer.hold(1)
    await Promise.all([ask(first, 'Left'), ask(second, 'Right')])
    const note = 'Sent in this order, each after the answer before it.'
    const later = await Promise.any([first, second].map(async (tab) => (await tab.getByText(note).waitFor(), tab)))
    await expect(later.getByText('This is already turned on.')).toHaveCount(0)
    modelServer.release()
    for (const tab of [first, second]) {
      await expect(answers(tab)).toHaveCount(6)
      await expect(thread(tab).getByText('Left answered')).toBeVisible()
      await expect(thread(tab).getByText('Right answered')).toBeVisible()
    }
    await later.reload()
    await expect(answers(later)).toHaveCount(6)
  },
)

test(
  'two tabs ask again and again within a moment: both show all, and asking again in one removes nothing of the other',
  long,
  async ({context, installation, modelServer}) => {
    const {first, second, id} = await twoTabs({context, installation, modelServer})
    const rounds = [0, 1, 2, 3]
    for (const round of rounds) {
      await Promise.all([askWhenFree(first, `Left ${round}`), askWhenFree(second, `Right ${round}`)])
      for (const tab of [first, second]) {
        await expect(thread(tab).getByText(`Left ${round} answered`)).toBeVisible()
        await expect(thread(tab).getByText(`Right ${round} answered`)).toBeVisible()
      }
    }
    await lastMessage(second).hover()
    await lastMessage(second).getByRole('button', {name: 'Answer again'}).click()
    await expect(second.getByRole('button', {name: 'Stop'})).toHaveCount(0)
    await expect
      .poll(async () => {
        const stored = await storedConversations(second)
        return stored
          .find((each) => each.id === id)
          ?.messages.filter(({role}) => role === 'user')
          .map(({content}) => content)
      })
      .toHaveLength(1 + 2 * rounds.length)
  },
)
