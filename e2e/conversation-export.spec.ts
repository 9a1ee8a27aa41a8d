import {readFile} from 'node:fs/promises'
import type {Page} from '@playwright/test'
import {readLocale} from '#tools/locales.mjs'
import {readArchive} from '#tests/fixtures/read-archive.ts'
import {composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {ended, lastMessage, row} from './support/chat-page.ts'
import {some} from './support/full-run.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The file that a press saves. */
async function saved(page: Page, press: () => Promise<void>) {
  const download = page.waitForEvent('download')
  await press()
  const file = await download
  return {name: file.suggestedFilename(), bytes: await readFile(await file.path())}
}

test('one conversation as Markdown, with an attachment as an archive', async ({chat, modelServer}) => {
  modelServer.answer('It is **red**.')
  await chat.locator('input[type=file]').setInputFiles({name: 'dot.png', mimeType: 'image/png', buffer: pixel})
  await expect(chat.getByRole('button', {name: 'Remove dot.png'})).toBeVisible()
  await composer(chat).fill('Which colour?')
  // once the file is there
  await expect(chat.getByRole('button', {name: 'Send'})).toBeEnabled()
  await composer(chat).press('Enter')
  await expect(lastMessage(chat)).toContainText('It is red.')
  await ended(chat)
  const title = 'Which colour?'
  await row(chat, title).hover()
  await row(chat, title)
    .getByRole('button', {name: `Actions for ${title}`})
    .click()
  await chat.getByRole('menuitem', {name: 'Export…'}).click()
  const dialog = chat.getByRole('dialog', {name: 'Export a conversation'})
  const archive = await saved(chat, () => dialog.getByRole('button', {name: 'Export', exact: true}).click())
  expect(archive.name).toBe('Which-colour.zip')
  const files = readArchive(archive.bytes)
  expect([...files.keys()]).toEqual(['Which-colour.md', 'files/dot.png'])
  expect(files.get('files/dot.png')?.length).toBeGreaterThan(0)
  const text = files.get('Which-colour.md') ?? ''
  expect(text).toContain('## You\n\nWhich colour?\n\n[dot.png](<files/dot.png>)')
  expect(text).toMatch(/## Assistant \(.+\)\n\nIt is \*\*red\*\*\.\n$/)
  await expect(dialog.getByRole('status')).toHaveText('Your file is saved.')

  await dialog.getByRole('button', {name: 'Close'}).last().click()
  await expect(dialog).toHaveCount(0)
  await row(chat, title).hover()
  await row(chat, title)
    .getByRole('button', {name: `Actions for ${title}`})
    .click()
  await chat.getByRole('menuitem', {name: 'Export…'}).click()
  await dialog.getByRole('checkbox', {name: 'With attachments'}).uncheck()
  const plain = await saved(chat, () => dialog.getByRole('button', {name: 'Export', exact: true}).click())
  expect(plain.name).toBe('Which-colour.md')
  expect(plain.bytes.toString()).toContain('# Which colour?')

  await test.step('all of them from the settings, which the palette finds', async () => {
    await dialog.getByRole('button', {name: 'Close'}).last().click()
    await expect(dialog).toHaveCount(0)
    await chat.keyboard.press('ControlOrMeta+k')
    await chat.getByRole('combobox').fill('export all')
    await chat.getByRole('option', {name: 'Conversations: Export all…'}).click()
    await chat.getByRole('button', {name: 'Export all…'}).click()
    const all = await saved(chat, () => dialog.getByRole('button', {name: 'Export', exact: true}).click())
    expect(all.name).toBe('Which-colour.zip')
    await dialog.getByRole('button', {name: 'Close'}).last().click()
    await expect(chat.getByRole('dialog', {name: 'Settings'}).getByRole('button', {name: 'Export all…'})).toBeFocused()
  })
})

const looks = [
  {name: 'English on a desktop, dark', locale: 'en', theme: 'dark', width: 1440},
  {name: 'Arabic at 390 px, light', locale: 'ar', theme: 'light', width: 390},
]

for (const {name, locale, theme, width} of some(looks)) {
  test(`all conversations as JSON (${name})`, async ({context, installation, signedIn}) => {
    const words: Record<string, string> = readLocale(locale)
    const word = (id: string) => words[id] ?? id
    await context.addCookies(
      Object.entries({LOCALE: locale, THEME: theme}).map(([key, value]) => ({name: key, value, url: installation.url})),
    )
    await seedConversations(installation, signedIn, [
      {title: 'Kites', texts: ['How?', 'So.']},
      {title: 'الطقس', model: 'grok-4', texts: ['متى؟', 'غدًا.'], minutesAgo: 5},
    ])
    const page = await blankTab(context, installation.url, signedIn)
    await page.setViewportSize({width, height: 844})
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(composer(page)).toBeEnabled()
    if (width < 768) await page.getByRole('button', {name: word('index.panelOpen'), exact: true}).click()
    await page.getByRole('button', {name: word('chat.severalMenu')}).click()
    await page.getByRole('menuitem', {name: word('chat.exportAll')}).click()
    await page.getByRole('radio', {name: word('chat.exportJson')}).check()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await test.step('no fault that axe finds', async () => expect(await axeFaults(page)).toEqual([]))
    const file = await saved(page, () => page.getByRole('button', {name: word('chat.exportGo'), exact: true}).click())
    expect(file.name).toBe('conversations.json')
    // as: the file that was saved
    const {format, conversations} = JSON.parse(file.bytes.toString()) as {
      format: string
      conversations: {title: string; messages: {role: string; content: string}[]}[]
    }
    expect(format).toBe('atrium-conversations')
    expect(conversations.map(({title}) => title)).toEqual(['Kites', 'الطقس'])
    expect(conversations[0]?.messages.map(({role, content}) => [role, content])).toEqual([
      ['user', 'How?'],
      ['assistant', 'So.'],
    ])
  })
}
