import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {composer, row} from './support/chat-page.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/* A card stands for the notices where their view is lost. It goes by Dismiss, and takes neither the focus nor the rest. */

const view = /\/assets\/notices-[^/]*\.js/
const card = (page: Page) => page.getByRole('alert').filter({hasText: 'This part stopped working.'})
const dismissal = (page: Page) => card(page).getByRole('button', {name: 'Dismiss'})
const notices = (page: Page) => page.getByRole('region', {name: 'Notifications'})
const panel = (page: Page) => page.getByRole('dialog', {name: 'Chat'})
const endOf = async (box: Promise<{y: number; height: number} | null>) => {
  const {y, height} = (await box) ?? {y: 0, height: 0}
  return y + height
}

async function archive(page: Page, title: string): Promise<void> {
  await row(page, title)
    .getByRole('button', {name: `Actions for ${title}`})
    .press('Enter')
  await page.getByRole('menuitem', {name: 'Archive', exact: true}).press('Enter')
  await expect(row(page, title)).toHaveCount(0)
}

test.beforeEach(async ({tab, installation, signedIn}) => {
  await seedConversations(installation, signedIn, [
    {title: 'Boats', texts: ['Boats', 'foo']},
    {title: 'Kites', texts: ['Kites', 'foo'], minutesAgo: 1},
    {title: 'Planes', texts: ['Planes', 'foo'], minutesAgo: 2},
  ])
  await tab.route(view, (route) => route.fulfill({status: 404}))
  await tab.goto(`${installation.url}/chatgpt/conversations`)
  await composer(tab).waitFor()
})

test('the notice after a dismissed card is shown, where its view comes', async ({tab: page}) => {
  await archive(page, 'Boats')
  await expect(card(page)).toBeVisible()
  await dismissal(page).click()
  await expect(card(page)).toHaveCount(0)
  await page.unroute(view)
  await archive(page, 'Kites')
  await expect(notices(page).getByRole('status')).toHaveCount(1)
  await notices(page).getByRole('button', {name: 'Undo'}).click()
  await expect(row(page, 'Kites')).toBeVisible()
  await expect(row(page, 'Boats')).toHaveCount(0)
  await expect(card(page)).toHaveCount(0)
})

test('the focus returns to where it was before the card, by keys and by the pointer', async ({tab: page}) => {
  await archive(page, 'Boats')
  await composer(page).fill('half a thought')
  await dismissal(page).click()
  await expect(card(page)).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
  await archive(page, 'Kites')
  await expect(card(page)).toBeVisible()
  await composer(page).focus()
  await dismissal(page).focus()
  await dismissal(page).press('Enter')
  await expect(card(page)).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('half a thought')
})

test('the card stands below the head of the page, whatever height that has', async ({tab: page}) => {
  await archive(page, 'Boats')
  await expect(card(page)).toBeVisible()
  const head = page.getByRole('banner')
  const gap = async () => ((await card(page).boundingBox())?.y ?? 0) - (await endOf(head.boundingBox()))
  expect(await gap()).toBe(8)
  await page.context().setOffline(true)
  await expect(page.getByText("You're offline.", {exact: false})).toBeVisible()
  await expect.poll(gap).toBe(8)
  await head.evaluate((element) => (element.style.minBlockSize = '120px'))
  await expect.poll(gap).toBe(8)
  await page.context().setOffline(false)
})

test.describe('on a phone', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

  test('the card leaves New chat and the search of an open list free, and goes without the list', async ({
    tab: page,
  }) => {
    await page.getByRole('button', {name: 'Open list', exact: true}).tap()
    await expect(panel(page)).toBeVisible()
    await archive(page, 'Boats')
    await expect(card(page)).toBeInViewport({ratio: 1})
    expect((await card(page).boundingBox())?.y).toBeGreaterThan(
      await endOf(panel(page).getByRole('searchbox').boundingBox()),
    )
    await panel(page)
      .getByRole('button', {name: 'New chat'})
      .or(panel(page).getByRole('link', {name: 'New chat'}))
      .first()
      .tap({trial: true})
    expect(await axeFaults(page, '[role=alert]')).toEqual([])
    await dismissal(page).tap()
    await expect(card(page)).toHaveCount(0)
    await expect(panel(page)).toBeVisible()
    await expect(row(page, 'Kites')).toBeInViewport()
  })

  test('a tap on Dismiss does not give the focus to the message field', async ({tab: page}) => {
    await page.getByRole('button', {name: 'Open list', exact: true}).tap()
    await archive(page, 'Boats')
    await page.keyboard.press('Escape')
    await expect(panel(page)).toHaveCount(0)
    await composer(page).fill('half a thought')
    await dismissal(page).tap()
    await expect(card(page)).toHaveCount(0)
    await expect(composer(page)).not.toBeFocused()
    await expect(composer(page)).toHaveValue('half a thought')
  })
})
