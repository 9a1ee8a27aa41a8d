import {expect, type Locator, type Page} from '@playwright/test'
import {answers, ended, lastMessage, thread} from './chat-page.ts'
import type {Watch} from '../fixtures.ts'
import {openImageHost} from './image-host.ts'
import type {ModelServer} from './model-server.ts'
import {expectGoodInBothThemes} from './phone.ts'
import {press} from './press.ts'
import {messagesOf} from './words-of.ts'

/* An image that a model names, at a host of its own: the same on a phone and on a desktop, in any language. */

type Hands = {
  page: Page
  modelServer: ModelServer
  watch: Watch
  ask: (question: string) => Promise<void>
  /** Presses the key of the image as the user of the page does. */
  load: (key: Locator) => Promise<void>
}

const distance = (page: Page) =>
  thread(page).evaluate((element) => Math.abs(element.scrollHeight - element.scrollTop - element.clientHeight))

/** Markup that a fault lets into the page opens the frame, and has it ask for nothing. */
async function injectFrame(page: Page, address: string) {
  await page.evaluate(async (image) => {
    const frame = document.createElement('iframe')
    const query = new URLSearchParams({image, address: image, imageAddress: image})
    frame.src = `/image-frame.html?${query}#${image}`
    frame.name = image
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    document.body.append(frame)
    await loaded
    frame.remove()
  }, address)
}

/** Asks for an image, loads it by a press, loses it with the page, and brings it back after a failure. */
export async function loadByPress({page, modelServer, watch, ask, load}: Hands): Promise<void> {
  const host = await openImageHost()
  watch.allow(host.url)
  const word = await messagesOf(page)
  const address = `${host.url}/boat.png?words=secret`
  const values = {host: new URL(host.url).host}
  const lines = Array.from({length: 30}, (_, line) => `Line ${line}`).join('\n\n')
  modelServer.answer(`${lines}\n\n![A boat at sea](${address})\n\nThe end.`)
  await ask('A boat?')
  await expect(lastMessage(page)).toContainText('The end.')
  await ended(page)
  const answer = answers(page).last()
  const key = answer.getByRole('button', {name: word('chat.loadImage', values), exact: true})
  const link = answer.getByRole('link', {name: word('chat.openImage', values), exact: true})
  const frame = answer.getByTitle('A boat at sea')
  await expect(key).toBeVisible()
  await expect(link).toHaveAttribute('href', address)
  await expectGoodInBothThemes(page, 'an image that waits')
  await injectFrame(page, address)
  expect(host.asked).toEqual([])

  await expect.poll(() => distance(page)).toBeLessThan(2)
  await load(key)
  await expect(frame.locator('..')).toHaveAttribute('aria-busy', 'false')
  const box = await frame.boundingBox()
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(2, 1)
  expect(box?.height).toBeLessThanOrEqual(420)
  await expect.poll(() => distance(page)).toBeLessThan(2)
  // cookies know no ports: those of our page would go to this host as well
  expect(host.asked.map(({path, headers: {cookie, referer, origin}}) => ({path, cookie, referer, origin}))).toEqual([
    {path: '/boat.png?words=secret', cookie: undefined, referer: undefined, origin: undefined},
  ])
  await expect(link).toHaveAttribute('rel', /noopener noreferrer/)
  await expectGoodInBothThemes(page, 'an image where it stands')

  await page.reload()
  await expect(key).toBeVisible()
  expect(host.asked).toHaveLength(1)

  host.answers('nothing')
  await load(key)
  const failure = answer.getByRole('status').filter({hasText: word('chat.imageFailed')})
  await expect(failure).toBeVisible()
  await expect(link).toHaveText(values.host)
  await expectGoodInBothThemes(page, 'an image that failed')
  host.answers('image')
  await press(answer.getByRole('button', {name: word('common.retry'), exact: true}))
  await expect(frame.locator('..')).toHaveAttribute('aria-busy', 'false')
  expect(host.asked).toHaveLength(3)
  await host.close()
}
