import {readFileSync} from 'node:fs'
import type {Download, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {cards, generate, generateButton, made, openTool, promptField, settings} from './support/media-page.ts'
import {long} from './support/full-run.ts'

/*
 * A result becomes the input of the next request: images of a video, the video of a longer one, a sheet of one of its
 * images.
 */

const openMenu = async (page: Page, button: RegExp, item: string | RegExp) => {
  const card = cards(page).first()
  await card.hover()
  await card.getByRole('button', {name: button}).click()
  await page.getByRole('menuitem', {name: item}).click()
}
/** The newest card shows its result. */
const isDone = (page: Page) => made(cards(page).first().getByRole('button', {name: /^Open/}).first())

/** The body of the next request to this path. */
const sentTo = async (page: Page, path: string, act: () => Promise<void>): Promise<Record<string, unknown>> => {
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(path))
  await act()
  // as: every body of ours is an object
  return (await asked).postDataJSON() as Record<string, unknown>
}

const bytesOf = async (download: Download): Promise<Buffer> => readFileSync(await download.path())

test('an image becomes the start of a video, and is sent as the result it is', async ({chat: page}) => {
  await openTool(page, '/flux')
  await settings(page).getByRole('radiogroup', {name: 'Number of images'}).getByRole('radio', {name: '2'}).check()
  await generate(page, 'a paper boat in a gutter')
  await isDone(page)

  // all of a card's images come with its button
  const downloads: Download[] = []
  page.on('download', (download) => downloads.push(download))
  await cards(page).first().hover()
  await cards(page)
    .first()
    .getByRole('button', {name: /^Download/})
    .click()
  await expect.poll(() => downloads.length).toBe(2)
  const [one, other] = await Promise.all(downloads.map(bytesOf))
  expect(one?.equals(other ?? Buffer.of())).toBe(false)
  for (const download of downloads)
    expect(download.suggestedFilename()).toMatch(/^flux-a-paper-boat-in-a-gutter-.*\.(png|webp)$/)

  await openMenu(page, /^Use .* in/, /Kling.*Start frame/)
  await expect(page).toHaveURL(/\/kling$/)
  const start = settings(page).getByRole('group', {name: /Start frame/})
  await expect(start.getByRole('button', {name: /^Remove a-paper-boat/})).toBeVisible()
  await page.reload()
  await expect(start.getByRole('button', {name: /^Remove a-paper-boat/})).toBeVisible()
  await promptField(page).fill('the boat sails away')
  const video = await sentTo(page, '/kling/videos', () => generateButton(page).click())
  expect(video).toMatchObject({prompt: 'the boat sails away', start_image_url: expect.any(String)})
  const image = await page.request.get(String(video['start_image_url']))
  expect((await image.body()).equals(one ?? Buffer.of())).toBe(true)
})

test('a video becomes the start of a longer one, and is sent as the result it is', long, async ({chat: page}) => {
  await openTool(page, '/kling')
  await generate(page, 'the boat sails away')
  await isDone(page)
  await openMenu(page, /^More/, /^Extend/)
  await expect(settings(page).getByText('Working on')).toBeVisible()
  const longer = await sentTo(page, '/kling/videos', () =>
    settings(page)
      .getByRole('button', {name: /^Extend/})
      .click(),
  )
  expect(longer).toMatchObject({action: 'extend', prompt: 'the boat sails away', video_id: expect.any(String)})
  expect(longer).not.toHaveProperty('start_image_url')
  await expect(cards(page)).toHaveCount(2)
  await isDone(page)
})

test(
  'one image of a sheet is made by itself, says what it is, and the sheet knows that it was',
  long,
  async ({chat: page}) => {
    await openTool(page, '/midjourney')
    await generate(page, 'a chapel on a hill')
    await isDone(page)
    const body = await sentTo(page, '/midjourney/imagine', () =>
      cards(page)
        .first()
        .getByRole('button', {name: /: Top right/})
        .click(),
    )
    expect(body).toMatchObject({action: 'upscale2', image_id: expect.any(String), mode: 'fast'})
    await expect(cards(page)).toHaveCount(2)
    await isDone(page)
    await expect(cards(page).first()).toContainText('Upscaled, top right')
    const sheet = cards(page).nth(1)
    await expect(sheet.getByRole('button', {name: /: Top right.*Used/})).toBeVisible()
    await expect(sheet.getByRole('button', {name: /: Top left.*Used/})).toHaveCount(0)
  },
)

/** A short video in a format that every Chromium plays. */
const recordVideo = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), {width: 320, height: 180})
    const pen = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(25), {mimeType: 'video/webm;codecs=vp8'})
    const parts: Blob[] = []
    recorder.ondataavailable = ({data}) => parts.push(data)
    const ended = new Promise((resolve) => (recorder.onstop = resolve))
    recorder.start()
    for (let shade = 0; shade < 20; shade += 1) {
      if (pen !== null) {
        pen.fillStyle = `rgb(${shade * 10} 80 120)`
        pen.fillRect(0, 0, 320, 180)
      }
      await new Promise(requestAnimationFrame)
    }
    recorder.stop()
    await ended
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })

test('the frame of a video that is on screen goes into another tool as a file', long, async ({chat: page}) => {
  await openTool(page, '/kling')
  const body = Buffer.from(await recordVideo(page))
  await page.route('**/*.mp4', (route) => route.fulfill({body, contentType: 'video/webm'}))
  await generate(page, 'a kite over the sea')
  await isDone(page)
  await cards(page).first().hover()
  await cards(page).first().getByRole('button', {name: /^Open/}).first().click()
  const viewer = page.getByRole('dialog', {name: 'Viewer'})
  await expect
    .poll(() => viewer.locator('video').evaluate((video: HTMLVideoElement) => video.readyState))
    .toBeGreaterThanOrEqual(2)
  await viewer.getByRole('button', {name: 'Use this frame in…'}).click()
  await page.getByRole('menuitem', {name: /Luma.*Start frame/}).click()
  await expect(page).toHaveURL(/\/luma$/)
  const start = settings(page).getByRole('group', {name: /Start frame/})
  await expect(start.getByRole('button', {name: /^Remove kling-a-kite-over-the-sea\.png/})).toBeVisible()
  await promptField(page).fill('the kite goes on')
  const sent = await sentTo(page, '/luma/videos', () => generateButton(page).click())
  const frame = await page.request.get(String(sent.start_image_url))
  expect([frame.status(), frame.headers()['content-type']]).toEqual([200, 'image/png'])
})
