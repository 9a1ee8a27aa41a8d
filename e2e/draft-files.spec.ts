import sharp from 'sharp'
import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {ended, lastMessage, newChat, row} from './support/chat-page.ts'
import {long} from './support/full-run.ts'

/* Files belong to the message that is written, not to the field on screen. */

const notes = (name: string) => ({name, mimeType: 'text/plain', buffer: Buffer.from(`the words of ${name}`)})
const uploads = '**/api/v1/files/'

/** Holds back what the page asks at an address. Returns what lets it go on. */
async function holdBack(page: Page, address: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(address, async (route) => {
    await released
    await route.continue().catch(() => undefined) // taken back meanwhile
  })
  return release
}

test('an upload goes on in another conversation, and is sent where it was begun', long, async ({chat, modelServer}) => {
  modelServer.answer('seen')
  await ask(chat, 'Start')
  await ended(chat)
  const release = await holdBack(chat, uploads)
  await chat.locator('input[type=file]').setInputFiles(notes('heron.txt'))
  await expect(chat.getByText('Uploading 0%')).toBeVisible()
  await newChat(chat)
  await expect(chat.getByText('heron.txt')).toHaveCount(0)
  release()
  await row(chat, 'Start').getByRole('link').click()
  await expect(chat.getByText('Ready')).toBeVisible()
  await ask(chat, 'Read it')
  await ended(chat)
  expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('the words of heron.txt')
  await newChat(chat)
  await row(chat, 'Start').getByRole('link').click()
  await expect(lastMessage(chat)).toContainText('seen')
  await expect(chat.getByRole('button', {name: 'Remove heron.txt'})).toHaveCount(0)
})

test('files of the first moment are sent, those pasted and those chosen in a dialog that was still open', async ({
  chat,
  installation,
  modelServer,
}) => {
  modelServer.answer('seen')
  const release = await holdBack(chat, '**/api/v1/users/me')
  const held = chat.waitForRequest('**/api/v1/users/me')
  await chat.goto(`${installation.url}/chatgpt/conversations`)
  await held
  const choosing = chat.waitForEvent('filechooser')
  await chat.getByRole('button', {name: 'Attach files'}).click()
  const chooser = await choosing
  await composer(chat).evaluate((field) => {
    field.dataset.early = ''
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['the words of pasted.txt'], 'pasted.txt', {type: 'text/plain'}))
    field.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}))
  })
  await expect(chat.getByText('pasted.txt')).toBeVisible()
  release()
  await expect(chat.locator('[data-early]')).toHaveCount(0)
  await chooser.setFiles(notes('chosen.txt'))
  await expect(chat.getByText('chosen.txt')).toBeVisible()
  const retry = chat.getByRole('button', {name: 'Try pasted.txt again'})
  // the pasted file may fail after the chosen one is there
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({timeout: 1_000})
    await expect(chat.getByText('Ready')).toHaveCount(2, {timeout: 2_000})
  }).toPass()
  await ask(chat, 'Read them')
  await expect(lastMessage(chat)).toContainText('seen')
  const sent = JSON.stringify(modelServer.calls.at(-1)?.messages)
  expect(sent).toContain('the words of pasted.txt')
  expect(sent).toContain('the words of chosen.txt')
})

test(
  'the browser asks before a page with an upload under way is left, and not once it is there',
  long,
  async ({chat}) => {
    const release = await holdBack(chat, uploads)
    const questions: string[] = []
    chat.on('dialog', (dialog) => {
      questions.push(dialog.type())
      dialog.dismiss().catch(() => undefined) // of a page that is closed
    })
    // browsers ask only where the user has done something
    await composer(chat).click()
    await chat.locator('input[type=file]').setInputFiles(notes('heron.txt'))
    await expect(chat.getByText('Uploading 0%')).toBeVisible()
    await newChat(chat)
    await chat.close({runBeforeUnload: true})
    await expect.poll(() => questions).toEqual(['beforeunload'])
    release()
    await expect(chat.getByText('Ready')).toBeVisible()
    await chat.reload()
    await expect(chat.getByText('Ready')).toBeVisible()
    expect(questions).toHaveLength(1)
  },
)

test('signing out ends an upload', long, async ({chat}) => {
  await holdBack(chat, uploads)
  await chat.locator('input[type=file]').setInputFiles(notes('heron.txt'))
  await expect(chat.getByText('Uploading 0%')).toBeVisible()
  const cancelled = chat.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/v1/files/'))
  await chat.getByRole('button', {name: 'Account', exact: true}).click()
  await chat.getByRole('menuitem', {name: 'Log out'}).click()
  const question = chat.getByRole('dialog', {name: 'Log out?'})
  await expect(question.getByRole('listitem')).toHaveText(['1 draft'])
  await question.getByRole('button', {name: 'Log out'}).click()
  await cancelled
})

test('an image is shown from its own bytes while it is uploaded; a drawing and a broken one have their icon', async ({
  chat,
}) => {
  const release = await holdBack(chat, uploads)
  const photo = await sharp({create: {width: 900, height: 600, channels: 3, background: '#2a9d8f'}})
    .jpeg()
    .toBuffer()
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  await chat.locator('input[type=file]').setInputFiles([
    {name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo},
    {name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: drawing},
    {name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image')},
  ])
  const tile = (name: string) => chat.getByRole('listitem').filter({hasText: name})
  const image = tile('photo.jpg').locator('img')
  await expect(image).toHaveAttribute('src', /^blob:/)
  await expect(image).toHaveJSProperty('naturalWidth', 96)
  await expect(tile('photo.jpg')).toContainText('Uploading 0%')
  for (const name of ['drawing.svg', 'broken.png']) {
    await expect(tile(name)).toContainText('Uploading 0%')
    await expect(tile(name).locator('svg').first()).toBeVisible()
    await expect(tile(name).locator('img')).toHaveCount(0)
  }
  const local = await image.getAttribute('src')
  release()
  await expect(tile('photo.jpg')).toContainText('Ready')
  // not read again from the server
  await expect(image).toHaveAttribute('src', String(local))
  await chat.getByRole('button', {name: 'Remove photo.jpg'}).click()
  await expect(image).toHaveCount(0)
  // its bytes are let go
  const isShown = (url: string) =>
    new Promise<boolean>((resolve) => {
      const other = new Image()
      other.onload = () => resolve(true)
      other.onerror = () => resolve(false)
      other.src = url
    })
  expect(await chat.evaluate(isShown, String(local))).toBe(false)
})

test('a file that was on its way when the page was left is named after it, holds the message, and is attached again', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer('seen')
  await holdBack(chat, uploads)
  await chat.locator('input[type=file]').setInputFiles([notes('heron.txt'), notes('egret.txt')])
  await composer(chat).fill('Read it')
  await expect(chat.getByText('Uploading 0%')).toHaveCount(2)
  chat.on('dialog', (dialog) => void dialog.accept())
  await chat.reload()
  await chat.unroute(uploads)
  await expect(composer(chat)).toHaveValue('Read it')
  await expect(chat.getByText('Not uploaded. Attach it again.')).toHaveCount(2)
  await composer(chat).press('Enter')
  await expect(chat.getByRole('alert').filter({hasText: '2 files'})).toBeVisible()
  await expect(composer(chat)).toHaveValue('Read it')
  await chat.getByRole('button', {name: 'Remove egret.txt'}).click()
  const choosing = chat.waitForEvent('filechooser')
  await chat.getByRole('button', {name: 'Try heron.txt again'}).click()
  await (await choosing).setFiles(notes('heron.txt'))
  await expect(chat.getByText('Ready')).toHaveCount(1)
  await expect(chat.getByText('Not uploaded. Attach it again.')).toHaveCount(0)
  await composer(chat).press('Enter')
  await expect(lastMessage(chat)).toContainText('seen')
  expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('the words of heron.txt')
})
