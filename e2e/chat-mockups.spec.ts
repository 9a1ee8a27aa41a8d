import type {Locator} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {conversations, ended, lastMessage, row} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {pixel} from './support/pixel.ts'

/* The chat on a desktop, measured where the mockup of the design says how it looks. */

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox()
  if (box === null) throw new Error('It has no box on the page.')
  return {...box, end: box.x + box.width, middle: box.y + box.height / 2}
}
const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).color)

test(
  'the head ends with the credits and after them the menu, for the eye and for Tab; in a narrow page it stays',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('An owl.')
    await ask(chat, 'What is it?')
    await ended(chat)
    const head = chat.getByRole('banner')
    const balance = head.getByRole('button', {name: /credits/})
    const menu = head.getByRole('button', {name: 'Actions for this conversation'})
    const [ofHead, ofBalance, ofMenu] = [await boxOf(head), await boxOf(balance), await boxOf(menu)]
    expect(ofMenu.x - ofBalance.end).toBe(8)
    expect(ofHead.end - ofMenu.end).toBe(12)
    expect((await boxOf(balance.locator('svg'))).width).toBe(14)
    await balance.focus()
    await chat.keyboard.press('Tab')
    await expect(menu).toBeFocused()
    // its place in the document is another one where the page is as narrow as a phone
    await chat.setViewportSize({width: 390, height: 844})
    await expect(balance).toHaveCount(0)
    const newChat = head.getByRole('link', {name: 'New chat'})
    await expect.poll(async () => (await boxOf(newChat)).x >= (await boxOf(menu)).end).toBe(true)
    await chat.setViewportSize({width: 1440, height: 900})
    await expect(newChat).toHaveCount(0)
    await expect.poll(async () => (await boxOf(menu)).x - (await boxOf(balance)).end).toBe(8)
  },
)

test(
  'the groups are of one width; the search is a row like that of a new chat, until it has the focus',
  long,
  async ({chat, modelServer}) => {
    const groups = chat.getByRole('navigation', {name: 'Model group'}).getByRole('link')
    const widths = await groups.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().width))
    expect(widths).toHaveLength(3)
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(1)

    modelServer.answer('An owl.')
    await ask(chat, 'What is it?')
    await ended(chat)
    await expect(row(chat, /What/)).toBeVisible()
    const list = conversations(chat)
    const newChat = list.getByRole('link', {name: /^New chat/})
    const search = list.getByRole('search')
    const [ofLink, ofSearch] = [await boxOf(newChat), await boxOf(search)]
    const [icon, otherIcon] = [await boxOf(newChat.locator('svg')), await boxOf(search.locator('svg'))]
    expect(ofSearch.y).toBe(ofLink.y + ofLink.height)
    expect(ofSearch.height).toBe(ofLink.height)
    expect([otherIcon.x, otherIcon.width]).toEqual([icon.x, icon.width])
    // the words of both begin in one line
    const field = await boxOf(search.getByRole('searchbox'))
    expect(field.x - otherIcon.end).toBe(10)
    await expect(search.getByRole('searchbox')).toHaveCSS('padding-inline-start', '0px')
    await expect(search).toHaveCSS('border-top-color', 'rgba(0, 0, 0, 0)')
    await search.getByRole('searchbox').focus()
    await expect(search).not.toHaveCSS('border-top-color', 'rgba(0, 0, 0, 0)')
    await expect(search).toHaveCSS('outline-style', 'solid')
  },
)

test(
  'an answer: boxes of tasks stand beside their words, built-in functions have the colour of functions',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('- [x] done\n\n```ts\nfunction later() {\n  setTimeout(later)\n}\n```')
    modelServer.hold(3)
    await ask(chat, 'Which?')
    await expect(lastMessage(chat)).toContainText('done')
    const stop = chat.getByRole('main').locator('form').getByRole('button', {name: 'Stop', exact: true})
    expect((await boxOf(stop.locator('rect'))).width).toBeLessThan(9)
    modelServer.release()
    await ended(chat)
    const answer = lastMessage(chat)
    const box = await boxOf(answer.getByRole('checkbox'))
    const words = await answer.getByText('done').evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const {top, height} = range.getBoundingClientRect()
      return top + height / 2
    })
    expect(Math.abs(box.middle - words)).toBeLessThan(2)
    await expect(answer.getByRole('checkbox')).toHaveCSS('opacity', '1')

    const scope = (name: string) => answer.locator(`[data-scope="${name}"]`).first()
    expect(await colourOf(scope('built_in'))).toBe(await colourOf(scope('title')))
    expect(await colourOf(scope('built_in'))).not.toBe(await colourOf(scope('keyword')))
  },
)

test('the words of a task begin in one line, a numbered one keeps its number', long, async ({chat, modelServer}) => {
  modelServer.answer(`- [ ] ${'a task of many words '.repeat(12)}\n\n1. [ ] first\n2. second`)
  await ask(chat, 'Which?')
  await ended(chat)
  const beginnings = await lastMessage(chat)
    .getByRole('listitem')
    .first()
    .evaluate((item) => {
      const range = document.createRange()
      range.selectNodeContents(item)
      range.setStartAfter(item.querySelector('input') ?? item)
      return Array.from(range.getClientRects(), ({left}) => Math.round(left))
    })
  expect(beginnings.length).toBeGreaterThan(1)
  expect(new Set(beginnings).size).toBe(1)
  const numbered = lastMessage(chat).locator('ol > li').first()
  await expect(numbered).toHaveCSS('list-style-type', 'decimal')
})

test('an image of one pixel is no smaller in a question than a file', long, async ({chat}) => {
  await chat.locator('input[type=file]').setInputFiles([
    {name: 'dot.png', mimeType: 'image/png', buffer: pixel},
    {name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a heron')},
  ])
  await expect(chat.getByText(/· Ready/)).toHaveCount(2)
  await composer(chat).fill('What is it?')
  await composer(chat).press('Enter')
  await ended(chat)
  const question = chat.getByRole('log').getByRole('article').first()
  const image = question.locator('img')
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.complete && each.naturalWidth)).toBe(1)
  const {width, height} = await boxOf(image)
  expect([width, height]).toEqual([48, 48])
  expect((await boxOf(question.getByRole('link', {name: /notes/}).locator('..'))).height).toBe(48)
})
