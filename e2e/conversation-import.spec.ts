import {readFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import type {Request} from '@playwright/test'
import {downloadZip} from 'client-zip'
import {readLocale} from '#tools/locales.mjs'
import {composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {row, thread} from './support/chat-page.ts'
import {isCommand} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {Installation} from './support/installation.ts'
import {blankTab, secondTab} from './support/signed-in.ts'
import {createUser} from './support/users.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../tests/fixtures/imports/${name}`, import.meta.url))

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** An archive as our export makes it, with an image beside its conversation. */
async function ownArchive(): Promise<Buffer> {
  const archive = downloadZip([
    {name: 'conversations.json', input: await readFile(fixture('atrium.json'))},
    {name: 'files/kite.png', input: pixel},
  ])
  return Buffer.from(await archive.arrayBuffer())
}

for (const {device, hasTouch} of [
  {device: 'a mouse', hasTouch: false},
  {device: 'a phone', hasTouch: true},
]) {
  test(`a file is asked for as ${device} can give it`, long, async ({browser, installation}) => {
    const context = await browser.newContext({hasTouch, isMobile: hasTouch, viewport: {width: 390, height: 844}})
    const page = await blankTab(context, installation.url, await createUser(installation.url))
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await composer(page).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('import conversations')
    await page.getByRole('option', {name: 'Import conversations'}).click()
    const dialog = page.getByRole('dialog', {name: 'Import conversations'})
    await expect(dialog.getByRole('button', {name: 'Choose'})).toBeVisible()
    await expect(dialog.getByText('or drop it here')).toBeVisible({visible: !hasTouch})
    await context.close()
  })
}

test('conversations of ChatGPT, found by the palette: shown before they are sent, sent once, and in every tab', async ({
  chat,
}) => {
  const other = await secondTab(chat)
  await expect(composer(other)).toBeEnabled()
  await chat.bringToFront()
  await chat.setViewportSize({width: 1440, height: 900})
  await chat.keyboard.press('ControlOrMeta+k')
  await chat.getByRole('combobox').fill('import conversations')
  await chat.getByRole('option', {name: 'Import conversations'}).click()
  const dialog = chat.getByRole('dialog', {name: 'Import conversations'})
  const picker = dialog.locator('input[type=file]')
  await picker.setInputFiles({name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}')})
  await expect(dialog.getByRole('alert')).toHaveText(
    'notes.json: This is no export file of Atrium, ChatGPT or LobeChat.',
  )
  await picker.setInputFiles(fixture('chatgpt.json'))
  await expect(dialog.getByRole('status')).toContainText('2 conversations with 7 messages')
  await expect(dialog.getByRole('status')).toContainText('3 attachments are not in the file')
  await expect(dialog).toContainText('Nothing saidIt has no messages.')
  for (const theme of ['dark', 'light']) {
    await chat.evaluate((name) => (document.documentElement.dataset.theme = name), theme)
    await test.step(`no fault that axe finds (${theme})`, async () => expect(await axeFaults(chat)).toEqual([]))
  }
  await dialog.getByRole('button', {name: 'Import 2 conversations'}).click()
  await expect(dialog.getByRole('status')).toHaveText('2 conversations are imported.')
  await dialog.getByRole('button', {name: 'Open the first one'}).click()

  await expect(dialog).toHaveCount(0)
  await expect(row(chat, 'الطقس')).toBeVisible()
  await expect(row(other, 'الطقس')).toBeVisible()
  const messages = chat.getByRole('article')
  await expect(messages.first()).toContainText('Why do kites fly?')
  await expect(messages.nth(1)).toContainText('Lift, drag and a string.')
  await expect(messages.nth(1)).toContainText('2 / 2')
  await messages.nth(1).getByRole('button', {name: 'Previous version'}).click()
  await expect(messages.nth(1)).toContainText('Because of lift.')

  await test.step('the same file again brings nothing', async () => {
    await chat.keyboard.press('ControlOrMeta+k')
    await chat.getByRole('combobox').fill('chatgpt json')
    await chat.getByRole('option', {name: 'Import conversations'}).click()
    await picker.setInputFiles(fixture('chatgpt.json'))
    await expect(dialog.getByRole('status')).toContainText('Nothing of it is new.')
    await expect(dialog.getByRole('button', {name: /^Import \d/})).toHaveCount(0)
  })
})

test('the first imported conversation is there while the list is still read again', long, async ({chat}) => {
  await chat.keyboard.press('ControlOrMeta+k')
  await chat.getByRole('combobox').fill('import conversations')
  await chat.getByRole('option', {name: 'Import conversations'}).click()
  const dialog = chat.getByRole('dialog', {name: 'Import conversations'})
  await dialog.locator('input[type=file]').setInputFiles(fixture('chatgpt.json'))
  const readings = await HeldRoute.on(chat, '**/aichat/conversations', isCommand('retrieve_batch'))
  await dialog.getByRole('button', {name: 'Import 2 conversations'}).click()
  await readings.waitForOne()
  await dialog.getByRole('button', {name: 'Open the first one'}).click()
  await expect(thread(chat)).toContainText('Why do kites fly?')
  await readings.let(goOn)
  await expect(row(chat, 'الطقس')).toBeVisible()
  await expect(thread(chat)).toContainText('Why do kites fly?')
})

test(
  'our own export with an image, from the settings, in Arabic at 390 px, after a lost network',
  long,
  async ({context, installation, signedIn}) => {
    const words: Record<string, string> = readLocale('ar')
    const word = (id: string) => words[id] ?? id
    await context.addCookies(
      Object.entries({LOCALE: 'ar', THEME: 'light'}).map(([key, value]) => ({name: key, value, url: installation.url})),
    )
    const page = await blankTab(context, installation.url, signedIn)
    await page.setViewportSize({width: 390, height: 844})
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(composer(page)).toBeEnabled()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('settings data')
    await page
      .getByRole('option', {name: word('index.settingData')})
      .first()
      .click()
    await page.getByRole('button', {name: word('index.settingImport'), exact: true}).click()
    const dialog = page.getByRole('dialog', {name: word('index.settingImport')})
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'conversations.zip',
      mimeType: 'application/zip',
      buffer: await ownArchive(),
    })
    const status = dialog.getByRole('status')
    await expect(status).toContainText('Atrium')
    await test.step('no fault that axe finds', async () => expect(await axeFaults(page)).toEqual([]))
    let isCut = true
    await page.route('**/aichat/conversations', async (route) => {
      const isImport = route.request().postData()?.includes('"action":"import"') === true
      if (isImport && isCut) return route.abort('connectionfailed')
      return route.fallback()
    })
    await dialog
      .getByRole('button', {name: /^استيراد/})
      .last()
      .click()
    await expect(status).toHaveText(word('index.settingImportWaiting'))
    isCut = false
    await expect(status).toContainText('استُوردت محادثة واحدة.', {timeout: 30_000})
    await test.step('what can be done stands right under what happened', async () => {
      const [statusBox, otherBox] = [
        await status.boundingBox(),
        await dialog.getByRole('button', {name: word('index.settingImportOther')}).boundingBox(),
      ]
      expect((otherBox?.y ?? 0) - (statusBox?.y ?? 0) - (statusBox?.height ?? 0)).toBeLessThan(20)
    })
    await dialog.getByRole('button', {name: word('index.settingImportOpen')}).click()
    const question = page.getByRole('article').first()
    await expect(question).toContainText('ما هذا؟')
    await test.step('the image of the archive is a file of this user now', async () => {
      const image = question.getByRole('img')
      await expect(image).toBeVisible()
      await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
    })
  },
)

/** Uses up what the server takes of a user's imports at once, and what comes after it, until `stop`. */
function useUp(url: string, {state}: {state: string}) {
  // as: the state that the fixture made
  const {chat} = JSON.parse(state) as {chat: {credential: {token: string}}}
  const headers = {authorization: `Bearer ${chat.credential.token}`, 'content-type': 'application/json'}
  const body = JSON.stringify({action: 'imported', items: [{source: 'chatgpt', source_id: 'foo'}]})
  let isWanted = true
  const ask = async () =>
    (await fetch(`${url}/services/api/aichat/conversations`, {method: 'POST', headers, body})).status
  let isEmpty = false
  let waiting: (() => void)[] = []
  const tell = () => {
    for (const go of waiting) go()
    waiting = []
  }
  const use = async () => {
    while (isWanted) {
      if ((await ask()) === 429) isEmpty = true
      else tell()
    }
  }
  const ended = Promise.all([use(), use(), use()])
  return {
    isEmpty: () => isEmpty,
    /** When the next call has been taken: the server takes another one half a second later. */
    taken: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    isStopped: () => !isWanted,
    stop: () => {
      isWanted = false
      tell()
      return ended
    },
  }
}

test('an import that the server refuses for now says so, and goes on by itself', long, async ({context, watch}) => {
  const installation = await Installation.start({LIMIT_FACTOR: '1'})
  watch.allow(installation.url)
  const signedIn = await createUser(installation.url)
  const page = await blankTab(context, installation.url, signedIn)
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await expect(composer(page)).toBeEnabled()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('import conversations')
  await page.getByRole('option', {name: 'Import conversations'}).click()
  const dialog = page.getByRole('dialog', {name: 'Import conversations'})
  await dialog.locator('input[type=file]').setInputFiles(fixture('chatgpt.json'))
  const start = dialog.getByRole('button', {name: 'Import 2 conversations'})
  await start.waitFor()
  const others = useUp(installation.url, signedIn)
  await expect.poll(others.isEmpty).toBe(true)
  const isImport = (request: Request) => request.postData()?.includes('"action":"import"') === true
  // on a busy machine the others may be slower than the page to ask for the one call that is free each half second
  await page.route('**/services/api/aichat/conversations', async (route) => {
    if (isImport(route.request()) && !others.isStopped()) await others.taken()
    await route.fallback()
  })
  const answered = page.waitForResponse((response) => isImport(response.request()))
  await start.click()
  const refused = await answered
  expect(refused.status()).toBe(429)
  expect(Number(await refused.headerValue('retry-after'))).toBeGreaterThan(0)
  await expect(dialog.getByRole('status')).toHaveText(
    'The server takes more in a moment. The import goes on by itself.',
  )
  await others.stop()
  await expect(dialog.getByRole('status')).toHaveText('2 conversations are imported.')
  await installation.dispose()
})
