import type {Locator, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {composer} from './support/chat-page.ts'
import {long, longBut} from './support/full-run.ts'
import {seedConversation} from './support/seeded-conversation.ts'
import {seedImages} from './support/seeded-tasks.ts'

/* Beside the camera of a phone that is turned stands nothing that is over the page. */

test.use({viewport: {width: 844, height: 390}, hasTouch: true, isMobile: true})

const camera = 47

async function turn(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const insets = {left: camera, right: camera, bottom: 21}
  await session.send('Emulation.setSafeAreaInsetsOverride', {insets})
}

async function expectBeside(part: Locator): Promise<void> {
  await expect(part).toBeVisible()
  const edges = async () => {
    const box = await part.boundingBox()
    return box === null || (box.x >= camera && box.x + box.width <= 844 - camera)
  }
  await expect.poll(edges).toBe(true)
}

for (const locale of ['en', 'ar'] as const)
  test.describe(locale, () => {
    test.use({locale})

    test('a notice', longBut(locale === 'ar'), async ({tab: chat, installation, signedIn}) => {
      await seedConversation(installation, signedIn, ['question', 'answer'])
      await chat.goto(`${installation.url}/chatgpt/conversations`)
      await composer(chat).waitFor()
      await turn(chat)
      const list = chat.getByRole('dialog')
      await chat.getByRole('banner').getByRole('button').first().tap()
      const seeded = list.getByRole('listitem').filter({has: chat.getByRole('link', {name: 'seeded'})})
      await seeded.getByRole('button').last().tap()
      await chat
        .getByRole('menuitem')
        .filter({hasText: /^(Archive|أرشفة)/})
        .tap()
      await expectBeside(chat.locator('[data-tone]').filter({has: chat.getByRole('button')}))
    })
  })

test('the viewer of results, with its buttons and details', long, async ({tab: page, installation, signedIn}) => {
  const own = new URL('/favicon.svg', installation.url).href
  await seedImages(installation, {
    // as: the shape of what the app keeps is asserted by tests/browser
    userId: (JSON.parse(signedIn.state) as {user: {id: string}}).user.id,
    count: 3,
    newest: Math.floor(Date.now() / 1000),
    imageUrl: own,
    failedEvery: 100,
  })
  await page.goto(`${installation.url}/flux`)
  await page.getByRole('article').first().waitFor()
  await turn(page)
  await page.getByRole('article').first().getByRole('button', {name: /^Open/}).first().tap()
  const viewer = page.getByRole('dialog', {name: 'Viewer'})
  await expect(viewer).toBeVisible()
  for (const button of await viewer.getByRole('button').filter({visible: true}).all()) await expectBeside(button)
})

test.describe('held upright', () => {
  test.use({viewport: {width: 390, height: 844}})

  test('the head stands below the camera, and the tabs stay in view', long, async ({chat}) => {
    const session = await chat.context().newCDPSession(chat)
    await session.send('Emulation.setSafeAreaInsetsOverride', {insets: {top: camera}})
    await expect.poll(async () => (await chat.getByRole('banner').boundingBox())?.y).toBe(camera)
    await expect(chat.getByRole('link', {name: 'Chat', exact: true})).toBeInViewport({ratio: 1})
  })
})
