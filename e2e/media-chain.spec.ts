import {readFileSync} from 'node:fs'
import type {Download, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {cards, generate, generateButton, openTool, promptField, settings} from './support/media-page.ts'

/* What is made becomes the input of what is made next: pictures to a video, the video to a longer one, a sheet to one of its pictures. */

const openMenu = async (page: Page, button: RegExp, item: string | RegExp) => {
  const card = cards(page).first()
  await card.hover()
  await card.getByRole('button', {name: button}).click()
  await page.getByRole('menuitem', {name: item}).click()
}
/** The newest card shows its result. */
const isDone = (page: Page) =>
  expect(cards(page).first().getByRole('button', {name: /^Open/}).first()).toBeAttached({timeout: 60_000})

/** The body of the next request to this path. */
const sentTo = async (page: Page, path: string, act: () => Promise<void>): Promise<Record<string, unknown>> => {
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(path))
  await act()
  // as: every body of ours is an object
  return (await asked).postDataJSON() as Record<string, unknown>
}

const bytesOf = async (download: Download): Promise<Buffer> => readFileSync(await download.path())

test('a picture becomes the start of a video, and the video of a longer one; each is sent as the result it is', async ({
  chat: page,
}) => {
  test.setTimeout(120_000)
  await openTool(page, '/flux')
  await settings(page).getByRole('radiogroup', {name: 'Number of images'}).getByRole('radio', {name: '2'}).check()
  await generate(page, 'a paper boat in a gutter')
  await isDone(page)

  // all of a card's pictures come with its button
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
  const film = await sentTo(page, '/kling/videos', () => generateButton(page).click())
  expect(film).toMatchObject({prompt: 'the boat sails away', start_image_url: expect.any(String)})
  const picture = await page.request.get(String(film['start_image_url']))
  expect((await picture.body()).equals(one ?? Buffer.of())).toBe(true)
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

test('one picture of a sheet is made by itself, says what it is, and the sheet knows that it was', async ({
  chat: page,
}) => {
  await openTool(page, '/midjourney')
  await generate(page, 'a chapel on a hill')
  await isDone(page)
  const body = await sentTo(page, '/midjourney/imagine', () => openMenu(page, /^More/, /^Top right/))
  expect(body).toMatchObject({action: 'upscale2', image_id: expect.any(String), mode: 'fast'})
  await expect(cards(page)).toHaveCount(2)
  await isDone(page)
  await expect(cards(page).first()).toContainText('Top right')
  await cards(page).nth(1).getByRole('button', {name: /^More/}).click()
  await expect(page.getByRole('menuitem', {name: /^Top right.*Used/})).toBeVisible()
  await expect(page.getByRole('menuitem', {name: /^Top left.*Used/})).toHaveCount(0)
})
