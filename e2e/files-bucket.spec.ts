import type {Page} from '@playwright/test'
import {createS3, type S3} from '../tests/server/s3.fixtures.ts'
import {acceptTerms, expect, newUser, register, test} from './fixtures.ts'
import {entryOf, keptBuild} from './support/builds.ts'
import {long} from './support/full-run.ts'
import {Installation} from './support/installation.ts'
import {cards, generate, made, openTool, settings} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {blankTab} from './support/signed-in.ts'
import {createUser} from './support/users.ts'

/* Files in a bucket, handed out by the store itself: the page shows them under its policy. */

let s3: S3
let installation: Installation
test.beforeAll(async () => {
  s3 = await createS3()
  installation = await Installation.start({
    FILES_URL: 's3://files/e2e',
    FILES_DELIVERY: 'redirect',
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  })
})
test.afterAll(async () => {
  await installation.dispose()
  await s3.close()
})

const isShown = (page: Page) =>
  cards(page)
    .getByRole('img')
    .first()
    .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)

test('images and videos come from the store; a store that is away is told, and works again', async ({
  context,
  watch,
}) => {
  watch.allow(installation.url)
  watch.allow(s3.endpoint)
  const fromStore: string[] = []
  const page = await blankTab(context, installation.url, await createUser(installation.url))
  page.on('response', (response) => {
    if (response.url().startsWith(s3.endpoint) && response.ok())
      fromStore.push(response.headers()['content-type'] ?? '')
  })
  await openTool(page, '/flux')
  await generate(page, 'a kite')
  await made(cards(page).getByRole('img').first())
  await expect.poll(() => isShown(page)).toBe(true)
  await expect.poll(() => fromStore.some((type) => type.startsWith('image/'))).toBe(true)
  // what a script reads stays with the server, also where the browser has kept where the image is
  const image = cards(page).getByRole('img').first()
  const read = await image.evaluate(async (element) => {
    const response = await fetch(element.getAttribute('src') ?? '')
    return {status: response.status, isLed: response.redirected, size: (await response.blob()).size}
  })
  expect(read).toEqual({status: 200, isLed: false, size: expect.any(Number)})
  expect(read.size).toBeGreaterThan(0)

  await settings(page).getByRole('radio', {name: 'Edit'}).click()
  const choose = () =>
    settings(page).locator('input[type=file]').setInputFiles({name: 'dot.png', mimeType: 'image/png', buffer: pixel})
  s3.setFault('full')
  await choose()
  await expect(settings(page).getByRole('alert')).toContainText('The store of files is full')
  s3.setFault('none')
  await settings(page).getByRole('button', {name: 'Try dot.png again'}).click()
  await expect(settings(page).getByRole('alert')).toHaveCount(0)

  await openTool(page, '/kling')
  await generate(page, 'a boat')
  await cards(page).getByRole('button', {name: /^Play/}).first().click()
  // a Chromium without its codec asks for it all the same
  await expect.poll(() => fromStore.some((type) => type.startsWith('video/'))).toBe(true)
})

test.describe('with the service worker', () => {
  test.use({serviceWorkers: 'allow'})

  test('it leaves images that are not kept to the browser, which the store answers', long, async ({page, watch}) => {
    watch.allow(installation.url)
    watch.allow(s3.endpoint)
    let isFromStore = false
    page.on('response', (response) => {
      isFromStore ||= response.url().startsWith(s3.endpoint) && response.ok()
    })
    await register(page, installation.url, newUser())
    await acceptTerms(page)
    await page.getByRole('dialog').waitFor({state: 'detached'})
    await keptBuild(page, await entryOf(page))

    await openTool(page, '/flux')
    await generate(page, 'a kite')
    await made(cards(page).getByRole('img').first())
    await expect.poll(() => isShown(page)).toBe(true)
    expect(isFromStore).toBe(true)
  })
})
