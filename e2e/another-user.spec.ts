import type {Page} from '@playwright/test'
import {ask, composer, enter, expect, signIn, test} from './fixtures.ts'
import {conversationId, lastMessage} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {cards, generate, made, openTool, promptField} from './support/media-page.ts'
import {blankTab} from './support/signed-in.ts'
import {createUser} from './support/users.ts'

/* A tab that stays open while another user signs in in another one (security R16). */

const marks = ['only my question', 'only my answer', 'only my picture', 'only my draft']

/** Everything the document holds: markup, what is typed into fields, and the title. */
const shownText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')]
    // as: both have a value
    const typed = fields.map((field) => (field as HTMLInputElement | HTMLTextAreaElement).value)
    return [document.documentElement.outerHTML, document.title, ...typed].join('\n')
  })

/** Returns the marks, and the other words, that the document holds. */
const leaksOf = async (page: Page, words: readonly string[]) => {
  const text = await shownText(page)
  return words.filter((word) => text.includes(word))
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Log out'}).click()
  await page.getByLabel('Password', {exact: true}).waitFor()
}

test(
  'nothing of a user stays in another tab when another user signs in',
  long,
  async ({context, installation: {url}, modelServer}) => {
    const [first, second] = [await createUser(url), await createUser(url)]
    const here = `${url}/chatgpt/conversations`
    const chat = await blankTab(context, url, first)
    await chat.goto(here)
    modelServer.reset()
    modelServer.answer('only my answer')
    await ask(chat, 'only my question')
    await expect(lastMessage(chat)).toContainText('only my answer')
    await conversationId(chat)

    const tool = await context.newPage()
    await tool.goto(here)
    await openTool(tool, '/flux')
    await generate(tool, 'only my picture')
    await made(cards(tool).first().getByRole('img').first())
    await promptField(tool).fill('only my draft')
    const history = await context.newPage()
    await history.goto(`${url}/flux/history`)
    await expect(history.getByText('only my picture').first()).toBeVisible()
    const site = await context.newPage()
    await site.goto(`${url}/site`)
    await expect(site.getByRole('heading', {level: 1, name: 'Site'})).toBeVisible()
    const profile = await context.newPage()
    await profile.goto(`${url}/profile`)
    await expect(profile.getByText(first.user.email).first()).toBeVisible()

    const door = await context.newPage()
    await door.goto(here)
    await composer(door).waitFor()
    await signOut(door)
    const tabs = {chat, tool, history, site, profile}
    const secrets = [...marks, first.user.email]
    for (const [name, tab] of Object.entries(tabs)) {
      await expect(tab.getByText('Sign in again to continue.')).toBeVisible()
      expect([name, await leaksOf(tab, secrets)]).toEqual([name, []])
    }

    await signIn(door, here, second.user)
    await expect(composer(door)).toBeEnabled()
    for (const [name, tab] of Object.entries(tabs)) {
      await expect(tab.getByText('Sign in again to continue.')).toHaveCount(0)
      expect([name, await leaksOf(tab, secrets)]).toEqual([name, []])
    }
    await expect(chat).toHaveURL(here)
    await expect(composer(chat)).toBeEnabled()
    await expect(chat).toHaveTitle(/^New chat · /)
    await expect(profile.getByText(second.user.email).first()).toBeVisible()
    await expect(promptField(tool)).toHaveValue('')
    await generate(tool, 'of the second user')
    await expect(cards(tool)).toHaveCount(1)
    for (const tab of Object.values(tabs)) expect(await leaksOf(tab, secrets)).toEqual([])
  },
)

test('another user signs in in the same tab: the page is a chat of their own', async ({
  context,
  installation: {url},
  modelServer,
}) => {
  const [first, second] = [await createUser(url), await createUser(url)]
  const chat = await blankTab(context, url, first)
  await chat.goto(`${url}/chatgpt/conversations`)
  modelServer.reset()
  await ask(chat, 'only my question')
  const conversation = await conversationId(chat)
  await signOut(chat)
  await enter(chat, first.user)
  await expect(chat).toHaveURL(`${url}/chatgpt/conversations/${conversation}`)
  await expect(lastMessage(chat)).toContainText('only my question')
  await signOut(chat)
  await enter(chat, second.user)
  await expect(chat).toHaveURL(`${url}/chatgpt/conversations`)
  await expect(composer(chat)).toBeEnabled()
  await expect(chat).toHaveTitle(/^New chat · /)
})

test(
  'the same user comes back: favourites are there, and the form of the other tab works on',
  long,
  async ({context, installation: {url}}) => {
    const signedIn = await createUser(url)
    const here = `${url}/chatgpt/conversations`
    const tool = await blankTab(context, url, signedIn)
    await tool.goto(here)
    await openTool(tool, '/flux')
    await generate(tool, 'a favourite')
    await tool.getByRole('button', {name: 'Favourite: a favourite', exact: true}).click()
    await promptField(tool).fill('before')
    const door = await context.newPage()
    await door.goto(here)
    await composer(door).waitFor()
    await signOut(door)
    await expect(tool.getByText('Sign in again to continue.')).toBeVisible()
    await signIn(door, here, signedIn.user)
    await expect(tool.getByText('Sign in again to continue.')).toHaveCount(0)
    await expect(tool.getByRole('button', {name: 'Favourites 1'})).toBeVisible()
    await generate(tool, 'and after')
  },
)
