import type {Locator, Page} from '@playwright/test'
import sharp from 'sharp'
import {composer, expect, test} from './fixtures.ts'
import {lastMessage, row} from './support/chat-page.ts'
import {openPage, test as groupsTest, toggleModels} from './support/compare-page.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {keepSpeech} from './support/kept-speech.ts'
import {long} from './support/full-run.ts'
import {askByTouch} from './support/phone.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'
import {wordsOf} from './support/words-of.ts'

/* Parts of a phone in English stand in line; one row of buttons in a language of long words. */

const phone = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true}
const conversation = {title: 'Kites', texts: ['question', 'answer'], minutesAgo: 1}

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox()
  if (box === null) throw new Error('not on screen')
  return box
}
const middleOf = async (part: Locator) => {
  const {y, height} = await boxOf(part)
  return Math.round(y + height / 2)
}
const openList = async (page: Page) => {
  const word = await wordsOf(page)
  await page.getByRole('button', {name: word('index.panelOpen'), exact: true}).tap()
}

test.describe('on a phone', () => {
  test.use(phone)

  test(
    'what stands for the list while it loads stands as its rows do',
    long,
    async ({context, installation, signedIn}) => {
      const titles = ['Kites', 'Trains', 'Planes', 'Ships']
      await seedConversations(
        installation,
        signedIn,
        titles.map((title) => ({...conversation, title})),
      )
      const page = await blankTab(context, installation.url, signedIn)
      const lists = await HeldRoute.on(page, '**/aichat/conversations', (request) =>
        /"action":"(retrieve_batch|revisions)"/.test(request.postData() ?? ''),
      )
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await openList(page)
      const bars = page.getByRole('img', {name: 'Loading', exact: true}).locator('> *')
      await expect(bars).toHaveCount(5)
      const middles = await Promise.all((await bars.all()).slice(1).map(middleOf))
      await lists.let(goOn)
      await row(page, 'Kites').waitFor()
      const rows = page.getByRole('navigation', {name: 'Conversations'}).getByRole('listitem')
      await expect(rows).toHaveCount(4)
      expect(await Promise.all((await rows.all()).map(middleOf))).toEqual(middles)
    },
  )

  test(
    'a menu that is opened over a notice lies above it, to its last entry',
    long,
    async ({context, installation, signedIn}) => {
      const titles = Array.from({length: 9}, (_, index) => `Kites ${index}`)
      await seedConversations(
        installation,
        signedIn,
        titles.map((title, minutesAgo) => ({...conversation, title, minutesAgo})),
      )
      const page = await blankTab(context, installation.url, signedIn)
      await page.goto(`${installation.url}/chatgpt/conversations`)
      await openList(page)
      const open = (title: string) => page.getByRole('button', {name: `Actions for ${title}`, exact: true}).tap()
      await open('Kites 0')
      await page.getByRole('menuitem', {name: 'Archive', exact: true}).tap()
      const notice = page.getByRole('region', {name: 'Notifications'}).getByText('Conversation archived')
      await expect(notice).toBeVisible()
      // its deadline waits
      await notice.hover()
      await open('Kites 5')
      const last = page.getByRole('menuitem', {name: 'Delete', exact: true})
      const [entry, below] = [await boxOf(last), await boxOf(notice)]
      expect(entry.y + entry.height).toBeGreaterThan(below.y)
      await last.click({trial: true, timeout: 5_000})
    },
  )

  test('what can be done with the list and with each of its rows stands on one line', async ({
    context,
    installation,
    signedIn,
  }) => {
    await seedConversations(installation, signedIn, [conversation])
    const page = await blankTab(context, installation.url, signedIn)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await openList(page)
    const [all, one] = await Promise.all(
      ['Options of the list', 'Actions for Kites'].map((name) => boxOf(page.getByRole('button', {name, exact: true}))),
    )
    expect(one).toMatchObject({x: all?.x, width: all?.width})
  })

  test('that there is no voice stands below the first word of the answer', long, async ({chat: page}) => {
    await keepSpeech(page)
    await page.reload()
    await askByTouch(page, 'question')
    await lastMessage(page).getByRole('button', {name: 'More actions'}).tap()
    await page.getByRole('menuitem', {name: 'Read aloud'}).tap()
    await expect(lastMessage(page).getByRole('button', {name: 'Stop reading'})).toBeVisible()
    await page.evaluate(() => window.speechBreaks())
    const note = lastMessage(page).getByText('This browser has no voice for it.')
    await expect(note).toBeVisible()
    const start = (part: Locator) =>
      part.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return Math.round(range.getBoundingClientRect().left)
      })
    expect(await start(note)).toBe(await start(lastMessage(page).locator('p').first()))
  })

  test(
    'a line of a long text that is scrolled half out of the field stands clear of the buttons below',
    long,
    async ({chat: page}) => {
      await composer(page).fill('WWWWWWWW\n'.repeat(60))
      // at the height of half a line, wherever the last whole one ends
      await composer(page).evaluate((field) => field.scrollTo(0, 300))
      const {x, y, width, height} = await boxOf(composer(page))
      for (const offset of [0, 12]) {
        await composer(page).evaluate((field, top) => field.scrollTo(0, 300 + top), offset)
        const strip = await page.screenshot({clip: {x: x + 4, y: y + height - 7, width: width - 24, height: 6}})
        const {channels} = await sharp(strip).stats()
        expect(channels.map(({min, max}) => max - min)).toEqual(channels.map(() => 0))
      }
    },
  )

  test('a question that waits ends as far from the edge as it begins', long, async ({chat: page, modelServer}) => {
    modelServer.hold()
    await askByTouch(page, 'question')
    await askByTouch(page, 'How do I debounce it without losing the last value, and why? '.repeat(3))
    const list = page.getByRole('region', {name: 'Next questions'})
    const [edges, text] = [await boxOf(list), await boxOf(list.getByText('How do I'))]
    expect(edges.x + edges.width - text.x - text.width).toBe(text.x - edges.x)
  })

  test('a long label and what ends its list stand in one row', long, async ({context, installation, signedIn}) => {
    const label = 'a label of as many letters as one may have'
    await seedConversations(installation, signedIn, [{...conversation, labels: [label]}])
    const page = await blankTab(context, installation.url, signedIn)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await openList(page)
    await page.getByRole('button', {name: 'Options of the list'}).tap()
    await page.getByRole('menuitemradio', {name: label}).tap()
    const end = page.getByRole('button', {name: 'All conversations', exact: true})
    const name = page.getByRole('navigation', {name: 'Conversations'}).getByText(label, {exact: true})
    expect(Math.abs((await middleOf(end)) - (await middleOf(name)))).toBeLessThanOrEqual(1)
    await end.tap()
    await expect(name).toHaveCount(0)
  })
})

groupsTest.describe('on a phone, of several models', () => {
  groupsTest.use(phone)

  groupsTest(
    'half of the screen above the tab bar is for the answer of one of four',
    long,
    async ({context, groups}) => {
      const page = await openPage(context, groups, '/compare')
      await toggleModels(page, /^GPT-4o basic/, /^GPT-4o All-round/)
      groups.openai.hold()
      groups.deepseek.hold()
      await askByTouch(page, 'Foo')
      const tab = page.getByRole('tab', {name: /^GPT-5/})
      const thread = page.getByRole('tabpanel', {name: /^GPT-5/}).getByRole('log')
      await expect(page.getByRole('tab')).toHaveCount(4)
      for (const state of ['Waiting for the answer', 'Answer ready']) {
        await expect(tab).toContainText(state)
        expect.soft((await boxOf(thread)).height, state).toBeGreaterThanOrEqual(390)
        expect.soft((await boxOf(tab)).height, state).toBeGreaterThanOrEqual(44)
        groups.openai.release()
        groups.deepseek.release()
      }
    },
  )
})

test.describe('on a phone in German', () => {
  test.use({...phone, locale: 'de'})

  test('the actions of a failed answer stand in one row', long, async ({chat: page, modelServer}) => {
    modelServer.fail(400, {error: {message: 'no such thing', code: 'bad_request'}})
    await askByTouch(page, 'question')
    const card = page.getByRole('log').getByRole('alert')
    await expect(card).toContainText('no such thing')
    const word = await wordsOf(page)
    const actions = ['common.retry', 'chat.edit', 'common.copyDetails']
    const middles = await Promise.all(
      actions.map((id) => middleOf(card.getByRole('button', {name: word(id), exact: true}))),
    )
    expect(new Set(middles)).toHaveProperty('size', 1)
  })

  test('the actions of a link stand in one row', long, async ({chat: page}) => {
    await askByTouch(page, 'question')
    const word = await wordsOf(page)
    await page
      .getByRole('banner')
      .getByRole('button', {name: word('chat.threadMenu')})
      .tap()
    await page.getByRole('menuitem', {name: word('chat.share')}).tap()
    const dialog = page.getByRole('dialog')
    const button = (id: string) => dialog.getByRole('button', {name: word(id), exact: true})
    await button('share.make').tap()
    await expect(button('share.copy')).toBeVisible()
    const actions = ['share.copy', 'share.renew', 'share.revoke'].map(button)
    const middles = await Promise.all([...actions, dialog.getByRole('link', {name: word('share.open')})].map(middleOf))
    expect(new Set(middles)).toHaveProperty('size', 1)
  })
})
