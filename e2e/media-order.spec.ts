import type {Page} from '@playwright/test'
import sharp from 'sharp'
import {expect, test} from './fixtures.ts'
import {generateButton, openTool, promptField, settings} from './support/media-page.ts'
import {long} from './support/full-run.ts'

type File = {name: string; mimeType: string; buffer: Buffer}

const noise = async (name: string, side: number): Promise<File> => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: 'white',
      noise: {type: 'gaussian', mean: 128, sigma: 60},
    },
  })
    .png()
    .toBuffer(),
})

/** Uploads wait until `release` is called with their name. Gives the address of each finished upload by its name. */
async function holdUploads(page: Page) {
  const gates = new Map<string, {opened: Promise<void>; open: () => void}>()
  const gateOf = (name: string) => {
    const known = gates.get(name)
    if (known !== undefined) return known
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    gates.set(name, {opened, open})
    return {opened, open}
  }
  const addresses = new Map<string, string>()
  await page.route('**/api/v1/files/', async (route) => {
    const name = /filename="([^"]+)"/.exec(route.request().postDataBuffer()?.toString('latin1') ?? '')?.[1] ?? ''
    await gateOf(name).opened
    const response = await route.fetch()
    // as: the contract tests check this answer
    addresses.set(name, ((await response.json()) as {file_url: string}).file_url)
    await route.fulfill({response})
  })
  return {release: (name: string) => gateOf(name).open(), addresses}
}

const tile = (page: Page, name: string) => settings(page).locator('[data-item]').filter({hasText: name})
const handle = (page: Page, name: string) => settings(page).getByRole('button', {name: new RegExp(`^Move ${name}, `)})
const positions = (page: Page) =>
  settings(page)
    .getByRole('button', {name: /^Move /})
    .evaluateAll((handles) => handles.map((button) => button.getAttribute('aria-label')))

/** The images of the next request to make a video. */
const sentImages = async (page: Page): Promise<string[]> => {
  const request = page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/veo/videos'))
  await generateButton(page).click()
  // as: the API tests check what the app sends here
  return ((await request).postDataJSON() as {image_urls: string[]}).image_urls
}

async function openVeo(page: Page): Promise<void> {
  await openTool(page, '/veo')
  await settings(page).getByRole('radio', {name: 'From an image'}).click()
  await promptField(page).fill('a harbour at dawn')
}

test(
  'a large first and a small last frame go out in that order, though the small one is there first',
  long,
  async ({chat}) => {
    const files = [await noise('first.png', 1600), await noise('last.png', 32)]
    expect(files[0]?.buffer.length).toBeGreaterThan(2_000_000)
    const {release, addresses} = await holdUploads(chat)
    await openVeo(chat)
    await settings(chat).locator('input[type=file]').setInputFiles(files)
    release('last.png')
    await expect(tile(chat, 'last.png').getByRole('progressbar')).toHaveCount(0)
    await expect(tile(chat, 'first.png').getByRole('progressbar')).toHaveCount(1)
    await expect.poll(() => positions(chat)).toEqual(['Move first.png, 1 of 2', 'Move last.png, 2 of 2'])
    release('first.png')
    await expect(settings(chat).getByRole('progressbar')).toHaveCount(0)
    expect(await sentImages(chat)).toEqual([addresses.get('first.png'), addresses.get('last.png')])
  },
)

test('frames are reordered by arrow keys while one travels, and by dragging', async ({chat}) => {
  const {release, addresses} = await holdUploads(chat)
  await openVeo(chat)
  await settings(chat)
    .locator('input[type=file]')
    .setInputFiles([await noise('red.png', 64), await noise('blue.png', 32)])
  release('blue.png')
  await expect(tile(chat, 'blue.png').getByRole('progressbar')).toHaveCount(0)
  await handle(chat, 'blue.png').focus()
  await chat.keyboard.press('ArrowLeft')
  await expect(handle(chat, 'blue.png')).toBeFocused()
  await expect(settings(chat).getByText('blue.png is now 1 of 2.')).toHaveCount(1)
  release('red.png')
  await expect(settings(chat).getByRole('progressbar')).toHaveCount(0)
  expect(await sentImages(chat)).toEqual([addresses.get('blue.png'), addresses.get('red.png')])

  await handle(chat, 'red.png').dragTo(tile(chat, 'blue.png'))
  await expect.poll(() => positions(chat)).toEqual(['Move red.png, 1 of 2', 'Move blue.png, 2 of 2'])
  // an image is dragged by the mouse anywhere
  await tile(chat, 'blue.png').getByRole('presentation').dragTo(tile(chat, 'red.png'))
  await expect.poll(() => positions(chat)).toEqual(['Move blue.png, 1 of 2', 'Move red.png, 2 of 2'])
})
