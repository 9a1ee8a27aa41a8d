import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {composer, row} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/*
 * The buttons of notices work while a modal panel lies over the page: by keys, and by a screen reader, which finds all
 * that is not hidden.
 */

test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

const notices = (page: Page) => page.getByRole('region', {name: 'Notifications'})
const undo = (page: Page) => notices(page).getByRole('button', {name: 'Undo'})
const panel = (page: Page) => page.getByRole('dialog', {name: 'Chat'})

async function openList(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Open list', exact: true}).tap()
  await expect(panel(page)).toBeVisible()
}

async function archive(page: Page, title: string): Promise<void> {
  await row(page, title)
    .getByRole('button', {name: `Actions for ${title}`})
    .tap()
  await page.getByRole('menuitem', {name: 'Archive', exact: true}).tap()
  await expect(row(page, title)).toHaveCount(0)
}

/** Opens the list over the notice of a conversation that was archived before. */
async function openListOverNotice(page: Page): Promise<void> {
  await openList(page)
  await archive(page, 'Boats')
  // its deadline waits while the focus is on it
  await undo(page).focus()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await undo(page).focus()
  await openList(page)
  await undo(page).focus()
}

test.beforeEach(async ({tab, installation, signedIn}) => {
  await seedConversations(installation, signedIn, [
    {title: 'Boats', texts: ['Boats', 'foo']},
    {title: 'Kites', texts: ['Kites', 'foo'], minutesAgo: 1},
  ])
  await tab.goto(`${installation.url}/chatgpt/conversations`)
  await composer(tab).waitFor()
})

test('Undo is reached by keys over the open list, whose notice came while it was open, and the focus returns', async ({
  tab: chat,
}) => {
  await holdDelays(chat)
  await chat.reload()
  await composer(chat).waitFor()
  await openList(chat)
  await archive(chat, 'Boats')
  await expect(undo(chat)).toBeVisible()
  expect(await axeFaults(chat)).toEqual([])
  await row(chat, 'Kites').getByRole('link').focus()

  await chat.keyboard.press('F6')
  await expect(notices(chat)).toBeFocused()
  await chat.keyboard.press('Tab')
  await expect(undo(chat)).toBeFocused()
  await chat.keyboard.press('Enter')

  await expect(row(chat, 'Boats')).toBeVisible()
  await expect(notices(chat)).toHaveCount(0)
  await expect(row(chat, 'Kites').getByRole('link')).toBeFocused()
  await expect(panel(chat)).toBeVisible()
})

test('a notice that was there before stays within reach when the list opens over it', long, async ({tab: chat}) => {
  await openListOverNotice(chat)
  expect(await axeFaults(chat)).toEqual([])
  await undo(chat).press('Enter')
  await expect(row(chat, 'Boats')).toBeVisible()
})

test('a press on a notice that was there before leaves the open list open', long, async ({tab: chat}) => {
  await openListOverNotice(chat)
  await expect.poll(async () => (await panel(chat).boundingBox())?.x).toBe(0)

  await notices(chat).getByText('Conversation archived').tap()
  await undo(chat).tap()
  await expect(notices(chat).getByRole('status')).toHaveCount(0)
  await expect(row(chat, 'Boats')).toBeInViewport()
  await expect(panel(chat)).toBeVisible()
})

test(
  'a notice under an open menu waits until the menu closes, and has its whole time then',
  long,
  async ({tab: chat}) => {
    await holdDelays(chat)
    await chat.reload()
    await composer(chat).waitFor()
    await openList(chat)
    await archive(chat, 'Boats')
    await expect(undo(chat)).toBeVisible()
    await row(chat, 'Kites').getByRole('button', {name: 'Actions for Kites'}).tap()
    const menu = chat.getByRole('menu')
    await expect(menu).toBeVisible()
    await endDelays(chat, 8_000)
    await expect(undo(chat)).toBeVisible()
    await chat.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    await undo(chat).tap()
    await expect(row(chat, 'Boats')).toBeVisible()

    await archive(chat, 'Boats')
    await expect(undo(chat)).toBeVisible()
    await endDelays(chat, 8_000)
    await expect(notices(chat).getByRole('status')).toHaveCount(0)
  },
)

test('a notice over the open list leaves its tabs, New chat and the search free', async ({tab: chat}) => {
  await openList(chat)
  await archive(chat, 'Boats')
  await expect(undo(chat)).toBeVisible()
  const search = await panel(chat).getByRole('searchbox').boundingBox()
  await expect
    .poll(async () => (await notices(chat).boundingBox())?.y)
    .toBeGreaterThan((search?.y ?? 0) + (search?.height ?? 0))
  await expect(notices(chat).getByRole('status')).toBeInViewport({ratio: 1})
})

test('a notice over the open list leaves the commands for several free', long, async ({tab: chat}) => {
  await openList(chat)
  await archive(chat, 'Boats')
  await expect(undo(chat)).toBeVisible()
  // its deadline waits while the focus is on it
  await undo(chat).focus()
  await panel(chat).getByRole('button', {name: 'Options of the list'}).tap()
  await chat.getByRole('menuitem', {name: 'Select'}).tap()
  const bar = panel(chat).getByRole('toolbar', {name: 'Selected conversations'})
  await expect(bar).toBeVisible()
  await expect(undo(chat)).toBeVisible()
  const expectFree = () =>
    expect
      .poll(async () => {
        const [box, top] = [await notices(chat).boundingBox(), (await bar.boundingBox())?.y ?? 0]
        return top - (box?.y ?? 0) - (box?.height ?? 0)
      })
      .toBeGreaterThanOrEqual(8)
  await expectFree()

  // a reader's own spacing of text: the question takes several lines
  await chat.setViewportSize({width: 320, height: 568})
  await bar.getByRole('button', {name: 'Select all'}).tap()
  await bar.getByRole('button', {name: 'Delete'}).tap()
  await expect(bar.getByRole('alert')).toBeVisible()
  await chat.evaluate(() => {
    const spacing = new CSSStyleSheet()
    spacing.replaceSync(
      '* {line-height: 1.8 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important}',
    )
    document.adoptedStyleSheets.push(spacing)
  })
  await expectFree()
})

test('without a network a notice leaves the head of the page free', long, async ({tab: chat}) => {
  await openList(chat)
  await archive(chat, 'Boats')
  // its deadline waits while the focus is on it
  await undo(chat).focus()
  await chat.keyboard.press('Escape')
  await expect(panel(chat)).toHaveCount(0)
  await undo(chat).focus()
  await chat.context().setOffline(true)
  await expect(chat.getByText("You're offline.", {exact: false})).toBeVisible()
  const head = await chat.getByRole('banner').boundingBox()
  await expect
    .poll(async () => (await notices(chat).boundingBox())?.y)
    .toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0))
  await chat.context().setOffline(false)
})

test('where the view of the notices is lost, a card says so, leaves the message field free and goes by Dismiss', async ({
  tab: chat,
}) => {
  await chat.route(/\/assets\/notices-[^/]*\.js/, (route) => route.fulfill({status: 404}))
  await chat.reload()
  await composer(chat).fill('half a thought')
  const card = chat.getByRole('alert').filter({hasText: 'This part stopped working.'})
  const send = chat.getByRole('button', {name: 'Send', exact: true})
  const showCard = async (title: string) => {
    await openList(chat)
    await archive(chat, title)
    await chat.keyboard.press('Escape')
    await expect(panel(chat)).toHaveCount(0)
    await expect(card).toBeInViewport({ratio: 1})
  }
  await showCard('Boats')
  expect(await axeFaults(chat, '[role=alert]')).toEqual([])
  const head = await chat.getByRole('banner').boundingBox()
  const box = await card.boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0))
  for (const part of [composer(chat), send]) {
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan((await part.boundingBox())?.y ?? 0)
    await part.tap({trial: true})
  }

  await card.getByRole('button', {name: 'Dismiss'}).tap()
  await expect(card).toHaveCount(0)
  await expect(composer(chat)).toHaveValue('half a thought')
  // what else lies over the page is not lost with it
  await chat.keyboard.press('ControlOrMeta+k')
  await expect(chat.getByRole('dialog', {name: 'Search and commands'})).toBeVisible()
  await chat.keyboard.press('Escape')
  // each notice that is lost says so
  await showCard('Kites')
})
