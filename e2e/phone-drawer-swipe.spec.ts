import type {Locator, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {desktopChat} from './support/desktop.ts'
import {anyPhone, directionOf} from './support/phone.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/* A swipe of a finger towards the edge from which the list came closes it; any other leaves it open. */

test.use(anyPhone)

/** A finger goes so far in steps of a frame each; across the middle of the screen where it goes to the side. */
async function swipe(page: Page, across: number, down: number, steps = 12): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const at = (share: number) => [{x: 195 + across * (share - 0.5), y: 420 + down * share}]
  await session.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: at(0)})
  for (let step = 1; step <= steps; step += 1) {
    await session.send('Input.dispatchTouchEvent', {type: 'touchMove', touchPoints: at(step / steps)})
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  await session.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []})
  await session.detach()
}

/** How far the list is from where it stands when it is open. */
const wayOf = (drawer: Locator) =>
  drawer.evaluate((panel) => Math.round(new DOMMatrix(getComputedStyle(panel).transform).m41))

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`the list of conversations is swiped away (motion: ${reducedMotion})`, async ({
    chat: page,
    installation,
    locale,
    signedIn,
  }) => {
    await page.emulateMedia({reducedMotion})
    await seedConversations(
      installation,
      signedIn,
      Array.from({length: 30}, (_, index) => ({title: `Kite ${index}`, texts: ['Where?'], minutesAgo: index})),
    )
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('dir', directionOf(locale))
    const {button} = await desktopChat(page)
    const open = button(page, 'index.panelOpen')
    const drawer = page.getByRole('dialog')
    const first = drawer.getByRole('listitem').first()
    const toEdge = directionOf(locale) === 'rtl' ? 1 : -1
    const address = page.url()
    const openList = async () => {
      await open.tap()
      await expect(first).toBeVisible()
      await expect.poll(() => wayOf(drawer)).toBe(0)
    }
    /** It is where it was, and stays open. */
    const expectOpen = async () => {
      await expect.poll(() => wayOf(drawer)).toBe(0)
      await expect(drawer).toHaveCount(1)
    }

    await openList()
    // less than half of its width, too slow for a flick
    await swipe(page, toEdge * 100, 0, 40)
    await expectOpen()
    await swipe(page, toEdge * -150, 0)
    await expectOpen()
    const before = await first.boundingBox()
    await swipe(page, 0, -250)
    await expectOpen()
    // what the finger moved is the list
    await expect.poll(async () => (await first.boundingBox())?.y ?? -1000).toBeLessThan((before?.y ?? 0) - 100)

    await swipe(page, toEdge * 250, 0)
    await expect(drawer).toHaveCount(0)
    // no row under the finger was opened
    expect(page.url()).toBe(address)
    await expect(open).toBeVisible()
    await openList()
    // a finger that means to the side goes a little down
    await swipe(page, toEdge * 250, 40)
    await expect(drawer).toHaveCount(0)
    await open.tap()
    await expect(first).toBeVisible()
  })
}
