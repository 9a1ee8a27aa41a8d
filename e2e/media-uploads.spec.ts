import {mkdtempSync, rmSync, truncateSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Page} from '@playwright/test'
import {largestFile} from '#contract/files.ts'
import {expect, test} from './fixtures.ts'
import {cards, generateButton, made, openTool, promptField, settings} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {long} from './support/full-run.ts'

type File = {name: string; mimeType: string; buffer: Buffer}
const png = (name: string): File => ({name, mimeType: 'image/png', buffer: pixel})
const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "owned"</script></svg>'

const choose = (page: Page, file: File | string) => settings(page).locator('input[type=file]').setInputFiles(file)
const problem = (page: Page) => settings(page).getByRole('alert')
const takeBack = (page: Page) =>
  settings(page)
    .getByRole('button', {name: /^Remove /})
    .click()

/** The form of Flux that edits an image; calls of the upload and of the generation from now on. */
async function openEdit(page: Page): Promise<{uploads: string[]; generations: Record<string, unknown>[]}> {
  const calls = {uploads: [] as string[], generations: [] as Record<string, unknown>[]}
  page.on('request', (request) => {
    if (request.method() !== 'POST') return
    const {pathname} = new URL(request.url())
    if (pathname.endsWith('/api/v1/files/')) calls.uploads.push(pathname)
    // as: the API tests check what the app sends here
    if (pathname.endsWith('/flux/images')) calls.generations.push(request.postDataJSON() as Record<string, unknown>)
  })
  await openTool(page, '/flux')
  await settings(page).getByRole('radio', {name: 'Edit'}).click()
  return calls
}

test('a file of a wrong type, too large, empty, or not what it says is refused in words, and nothing is sent', async ({
  tab: chat,
}) => {
  const {uploads} = await openEdit(chat)
  const folder = mkdtempSync(join(tmpdir(), 'atrium-e2e-files-'))
  const large = join(folder, 'large.png')
  writeFileSync(large, pixel)
  truncateSync(large, largestFile + 1)
  const refused: [File | string, string | RegExp][] = [
    [
      {name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words')},
      /notes\.txt: Only PNG, .* files work here/,
    ],
    [large, /large\.png: The file is larger than 20 MB/],
    [{name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0)}, /empty\.png: The file is empty/],
    [{name: 'art.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(script)}, /art\.svg: Only PNG, /],
    [
      {name: 'art.png', mimeType: 'image/png', buffer: Buffer.from(script)},
      /art\.png: The file is not what its name says/,
    ],
  ]
  try {
    for (const [file, words] of refused) {
      await choose(chat, file)
      await expect(problem(chat)).toContainText(words)
      await takeBack(chat)
      await expect(problem(chat)).toHaveCount(0)
    }
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
  expect(uploads).toEqual([])
})

test('a damaged image is refused in the form, in the words of the server', long, async ({chat}) => {
  const {uploads} = await openEdit(chat)
  await choose(chat, {...png('torn.png'), buffer: pixel.subarray(0, pixel.indexOf('IEND'))})
  await expect(problem(chat)).toContainText(
    'torn.png: This image is cut off: its end is missing. Choose the file again.',
  )
  expect(uploads).toHaveLength(1)
})

test('an upload that is cut off is tried again; a name with a path in it is only a name', long, async ({chat}) => {
  const {uploads} = await openEdit(chat)
  await chat.route('**/api/v1/files/', (route) => route.abort('connectionreset'), {times: 1})
  const name = String.raw`..\..\etc/../pass wd.png`
  await choose(chat, png(name))
  await expect(problem(chat)).toBeVisible()
  const answer = chat.waitForResponse((response) => response.url().endsWith('/api/v1/files/'))
  await settings(chat)
    .getByRole('button', {name: /^Try .* again$/})
    .click()
  // as: the contract tests check this answer
  const {file_url: address} = (await (await answer).json()) as {file_url: string}
  await expect(problem(chat)).toHaveCount(0)
  await expect(settings(chat).getByRole('progressbar')).toHaveCount(0)
  expect(uploads).toHaveLength(2)
  const path = decodeURIComponent(new URL(address).pathname)
  expect(path).toMatch(/\/[^/\\]*pass[ _-]?wd\.png$/)
  expect(path).not.toContain('..')
  const file = await chat.request.get(address)
  expect([file.status(), await file.body()]).toEqual([200, pixel])
})

test('Generate waits for an upload and says so; the value leaves with its thumbnail', long, async ({chat}) => {
  const {generations} = await openEdit(chat)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await chat.route('**/api/v1/files/', async (route) => {
    await released
    await route.continue()
  })
  await promptField(chat).fill('in blue')
  await choose(chat, png('first.png'))
  await expect(settings(chat).getByRole('progressbar', {name: 'Uploading first.png'})).toBeVisible()
  await generateButton(chat).click()
  const waits = settings(chat).getByRole('status').filter({hasText: 'Generating waits for the upload.'})
  await expect(waits).toBeVisible()
  await expect(generateButton(chat)).toBeDisabled()
  await waits.getByRole('button', {name: 'Cancel'}).click()
  await expect(waits).toHaveCount(0)
  await generateButton(chat).click()
  await expect(waits).toBeVisible()
  expect(generations).toEqual([])
  const answer = chat.waitForResponse((response) => response.url().endsWith('/api/v1/files/'))
  release()
  // as: the contract tests check this answer
  const {file_url: address} = (await (await answer).json()) as {file_url: string}
  const card = cards(chat).filter({hasText: 'in blue'})
  await made(card.getByRole('img', {name: 'Result of: in blue'}))
  expect(generations).toMatchObject([{action: 'edits', prompt: 'in blue', image_url: address}])

  await takeBack(chat)
  await generateButton(chat).click()
  await expect(settings(chat)).toContainText('Add an image first.')
  expect(generations).toHaveLength(1)
})
