import type {BrowserContext, Page} from '@playwright/test'
import {snippetLanguages, type SnippetLanguage} from '#domain/api-snippets.ts'
import {composer, expect, test} from './fixtures.ts'
import {clipboard} from './support/clipboard.ts'
import {long} from './support/full-run.ts'
import {tabTo} from './support/keyboard.ts'
import {expectGoodLooks} from './support/page-looks.ts'
import {pixel} from './support/pixel.ts'
import {parseKept} from './support/private-data.ts'
import {canRun, runSnippet} from './support/run-snippet.ts'
import {blankTab, storedState, secondTab} from './support/signed-in.ts'
import {createUser} from './support/users.ts'

/* API keys of an application, on the real server: made, shown, copied, used by programs, revoked (issue 11). */

async function openKeys(page: Page): Promise<void> {
  await page.getByRole('link', {name: 'Console'}).click()
  await page
    .getByRole('table')
    .getByRole('button', {name: /^More for/})
    .click()
  await page.getByRole('menuitem', {name: 'API keys'}).click()
  await expect(page.getByRole('heading', {level: 1, name: 'API keys · General balance'})).toBeVisible()
}

/** Makes a key and gives it, as its dialog shows it. */
async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', {name: 'Create key'}).first().click()
  await page.getByLabel('Name (optional)').fill(name)
  await page.getByRole('dialog').getByRole('button', {name: 'Create key'}).click()
  const dialog = page.getByRole('dialog', {name: 'Your new key'})
  const token = (await dialog.locator('code').textContent()) ?? ''
  expect(token).toMatch(/^sk-atrium-[\w-]{20,}$/)
  await dialog.getByRole('button', {name: 'Done'}).click()
  await expect(dialog).toHaveCount(0)
  return token
}

const row = (page: Page, name: string) => page.getByRole('row').filter({hasText: name})
const allowClipboard = (context: BrowserContext) => context.grantPermissions(['clipboard-read', 'clipboard-write'])

/** Presses Revoke in the dialog. The rows behind it are hidden until the key is revoked and the dialog is closed. */
async function confirmRevoke(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', {name: 'Revoke'}).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Status of a question that a program asks with a key. */
const ask = async (url: string, key: string, model: string): Promise<number> => {
  const {status} = await fetch(`${url}/services/api/aichat/conversations`, {
    method: 'POST',
    headers: {authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json'},
    body: JSON.stringify({model, question: 'foo'}),
  })
  return status
}

test('a key is made, shown, copied and used; once it is revoked its calls are refused', async ({
  chat,
  context,
  installation: {url},
  modelServer,
}) => {
  await allowClipboard(context)
  await openKeys(chat)
  const posts: string[] = []
  chat.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/credentials/')) posts.push(request.url())
  })
  const token = await createKey(chat, 'nightly')
  expect(posts).toHaveLength(1)
  await expect(row(chat, 'nightly')).toContainText(`sk-atrium-…${token.slice(-4)}`)
  expect(await chat.content()).not.toContain(token)

  const position = async () => (await chat.getByRole('columnheader', {name: 'Created'}).boundingBox())?.x
  const before = await position()
  await chat.getByRole('button', {name: 'Show key nightly'}).click()
  await expect(row(chat, 'nightly')).toContainText(token)
  expect(await position()).toBe(before)
  await chat.getByRole('button', {name: 'Hide key nightly'}).click()
  await expect(row(chat, 'nightly')).not.toContainText(token)

  await chat.getByRole('button', {name: 'Copy key nightly'}).click()
  await expect.poll(() => clipboard(chat)).toBe(token)
  expect(await chat.content()).not.toContain(token)
  const kept = await chat.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location.href]))
  expect(kept).not.toContain(token)

  const model = /"model":"([^"]+)"/.exec((await chat.getByRole('figure').textContent()) ?? '')?.[1] ?? ''
  modelServer.answer('an answer to a program')
  expect(await ask(url, token, model)).toBe(200)
  await chat.getByRole('button', {name: 'Revoke key nightly'}).click()
  await expect(chat.getByRole('dialog')).toContainText('nightly')
  await confirmRevoke(chat)
  await expect(row(chat, 'nightly')).toHaveCount(0)
  expect(await ask(url, token, model)).toBe(401)
})

test('a key that was revoked in another tab leaves the list when it is to be shown', long, async ({chat}) => {
  await openKeys(chat)
  await createKey(chat, 'weekly')
  const other = await secondTab(chat)
  await other.getByRole('button', {name: 'Revoke key weekly'}).click()
  await confirmRevoke(other)
  await expect(row(other, 'weekly')).toHaveCount(0)
  await chat.getByRole('button', {name: 'Show key weekly'}).click()
  await expect(row(chat, 'weekly')).toHaveCount(0)
})

test(
  'the key of this browser is marked; without it the page gets a new one by itself',
  long,
  async ({chat, modelServer}) => {
    await openKeys(chat)
    await expect(row(chat, 'This browser')).toHaveCount(1)
    await chat.getByRole('button', {name: 'Revoke key Browser key'}).click()
    await expect(chat.getByRole('dialog')).toContainText('This browser uses this key.')
    await confirmRevoke(chat)
    await expect(row(chat, 'This browser')).toHaveCount(0)
    await chat.getByRole('link', {name: 'Chat', exact: true}).click()
    modelServer.answer('all the same')
    await composer(chat).fill('Does it still answer?')
    await composer(chat).press('Enter')
    await expect(chat.getByText('all the same')).toBeVisible()
  },
)

test('an application of another user is not there', long, async ({chat, context, installation: {url}}) => {
  await openKeys(chat)
  const address = chat.url()
  await createKey(chat, 'of the first')
  const second = await createUser(url)
  const page = await blankTab(context, url, second)
  await page.goto(address)
  await expect(page.getByText('There is no such application.')).toBeVisible()
  await page.goto(address.replace(/applications\/[\w-]+/, 'applications/00000000-0000-4000-8000-000000000000'))
  await expect(page.getByText('There is no such application.')).toBeVisible()
  await expect(page.getByText('of the first')).toHaveCount(0)
})

test('by keyboard alone: a key is made, shown and revoked', long, async ({chat}) => {
  await openKeys(chat)
  await tabTo(chat, chat.getByRole('button', {name: 'Create key'}).first())
  await chat.keyboard.press('Enter')
  await expect(chat.getByLabel('Name (optional)')).toBeFocused()
  await chat.keyboard.type('typed')
  await chat.keyboard.press('Enter')
  await expect(chat.getByRole('dialog', {name: 'Your new key'})).toBeVisible()
  await chat.keyboard.press('Escape')
  await expect(chat.getByRole('dialog')).toHaveCount(0)
  await tabTo(chat, chat.getByRole('button', {name: 'Show key typed'}))
  await chat.keyboard.press('Enter')
  await expect(chat.getByRole('button', {name: 'Hide key typed'})).toBeFocused()
  await tabTo(chat, chat.getByRole('button', {name: 'Revoke key typed'}))
  await chat.keyboard.press('Enter')
  await tabTo(chat, chat.getByRole('dialog').getByRole('button', {name: 'Revoke', exact: true}))
  await chat.keyboard.press('Enter')
  await expect(chat.getByRole('button', {name: 'Revoke key typed'})).toHaveCount(0)
  await expect(chat.getByRole('heading', {level: 1})).toBeFocused()
})

test('looks right in each theme, on a phone and from right to left', long, async ({chat}) => {
  await openKeys(chat)
  await createKey(chat, 'a key with a rather long name for a program that runs every night')
  await expectGoodLooks(chat, () => chat.locator('code').filter({hasText: 'sk-atrium-…'}).first().waitFor())
})

/** The result that each tool prints, as the languages write it. */
const results: Record<string, RegExp> = {
  Chat: /an answer to a program/,
  Flux: /image_url['"]?: ?['"]http/,
  Sora: /video_url['"]?: ?['"]http/,
  Suno: /audio_url['"]?: ?['"]http/,
}
const tabs: Record<SnippetLanguage, string> = {curl: 'curl', typescript: 'TypeScript', python: 'Python'}
const exampleList = (page: Page) => page.getByRole('combobox', {name: 'Example'})
const shownExample = async (page: Page) => (await page.getByRole('figure').locator('code').textContent()) ?? ''

for (const language of snippetLanguages)
  test(
    `each kind of example in ${language}, as the page shows it, gets a result from this server`,
    long,
    async ({chat, modelServer}) => {
      const isInstalled = await canRun(language)
      if (!isInstalled)
        test.info().annotations.push({type: 'skipped', description: `${language} is not installed on this machine`})
      await openKeys(chat)
      const token = await createKey(chat, 'examples')
      await chat.getByRole('radio', {name: tabs[language]}).click()
      const runs: Promise<void>[] = []
      for (const [name, result] of Object.entries(results)) {
        await exampleList(chat).selectOption(name)
        const text = await shownExample(chat)
        expect(text).not.toContain(token)
        if (!isInstalled) continue
        if (name === 'Chat') modelServer.answer('an answer to a program')
        const run = runSnippet(language, text, token)
        if (name === 'Chat') expect(await run).toMatch(result)
        else runs.push(run.then((printed) => expect(printed, name).toMatch(result)))
      }
      await Promise.all(runs)
    },
  )

test('the example of every tool gets a result', long, async ({chat, installation}) => {
  await openKeys(chat)
  const token = await createKey(chat, 'all examples')
  const portrait = await uploadOf(chat, installation.url)
  const names = await exampleList(chat).locator('option').allTextContents()
  expect(names).toHaveLength(14)
  const runs: Promise<void>[] = []
  for (const name of names.filter((one) => one !== 'Chat')) {
    await exampleList(chat).selectOption(name)
    const text = (await shownExample(chat)).replace('https://example.com/portrait.jpg', portrait)
    const run = runSnippet('curl', text, token)
    runs.push(run.then((printed) => expect(printed, name).toMatch(/http.*"finished_at"|"finished_at".*http/)))
  }
  await Promise.all(runs)
})

/** Address of a file that the user of the page has uploaded. */
async function uploadOf(page: Page, url: string): Promise<string> {
  const answer = await page.request.post(`${url}/services/platform/api/v1/files/`, {
    headers: {authorization: `Bearer ${parseKept(await storedState(page)).token.access}`},
    multipart: {file: {name: 'portrait.png', mimeType: 'image/png', buffer: pixel}},
  })
  const {file_url: address} = (await answer.json()) as {file_url: string}
  return address
}
