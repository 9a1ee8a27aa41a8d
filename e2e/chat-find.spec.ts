import {readFileSync} from 'node:fs'
import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {ask, composer, ended, lastMessage, thread} from './support/chat-page.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'
import {long, some} from './support/full-run.ts'

/* Words are found in a conversation, and its questions are listed. */

const bar = (page: Page) => page.getByRole('search', {name: 'Find in conversation'})
const field = (page: Page) => bar(page).getByRole('textbox')
const openMenu = (page: Page) => page.getByRole('button', {name: 'Actions for this conversation'}).click()
const article = (page: Page, text: string | RegExp) => thread(page).getByRole('article').filter({hasText: text})

/** The marked texts: all of them, and the one that is shown. */
const marks = (page: Page) =>
  page.evaluate(() => {
    const textsOf = (name: string) =>
      [...(CSS.highlights.get(name) ?? [])].map((range) => (range instanceof Range ? range.toString() : ''))
    return {found: textsOf('found'), now: textsOf('found-now')}
  })

test(
  'the menu of the conversation opens the field; matches are marked, counted and stepped through',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('**Foo**bar and foo.\n\n```ts\nconst foo = 1\n```\n\n<think>foo</think>\n\nA résumé of Foo')
    await ask(chat, 'What is foo?')
    await ended(chat)
    await openMenu(chat)
    await expect(chat.getByRole('menuitem', {name: 'Questions'})).toHaveCount(0)
    await chat.getByRole('menuitem', {name: 'Find in conversation'}).click()
    await expect(field(chat)).toBeFocused()
    await chat.keyboard.type('foo')
    await expect(bar(chat).getByRole('status')).toHaveText('1 of 5')
    await expect.poll(() => marks(chat)).toEqual({found: ['foo', 'Foo', 'foo', 'foo', 'Foo'], now: ['foo']})
    await chat.keyboard.press('Enter')
    await expect(bar(chat).getByRole('status')).toHaveText('2 of 5')
    await expect.poll(async () => (await marks(chat)).now).toEqual(['Foo'])
    await chat.keyboard.press('Shift+Enter')
    await chat.keyboard.press('Shift+Enter')
    await expect(bar(chat).getByRole('status')).toHaveText('5 of 5')
    await bar(chat).getByRole('button', {name: 'Next match'}).click()
    await expect(bar(chat).getByRole('status')).toHaveText('1 of 5')

    await field(chat).fill('foobar')
    await expect.poll(() => marks(chat)).toEqual({found: ['Foobar'], now: ['Foobar']})
    await field(chat).fill('RESUME')
    await expect.poll(() => marks(chat)).toEqual({found: ['résumé'], now: ['résumé']})
    await field(chat).fill('nowhere')
    await expect(bar(chat).getByRole('status')).toHaveText('No matches')
    await expect.poll(() => marks(chat)).toEqual({found: [], now: []})
    await chat.keyboard.press('Escape')
    await expect(bar(chat)).toHaveCount(0)
  },
)

test(
  'code is found by its signs and words by any apostrophe, as often as they are marked',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer(
      'Don’t call `__init__`:\n\n1. Pass `a | b`\n\n   ```py\n   def __init__(self):\n\n       a | b\n   ```',
    )
    await ask(chat, 'Why can’t I call it?')
    await ended(chat)
    await openMenu(chat)
    await chat.getByRole('menuitem', {name: 'Find in conversation'}).click()
    for (const [query, found] of [
      ["don't", ['Don’t']],
      ['__init__', ['__init__', '__init__']],
      ['a | b', ['a | b', 'a | b']],
    ] as const) {
      await field(chat).fill(query)
      await expect(bar(chat).getByRole('status')).toHaveText(`1 of ${found.length}`)
      await expect.poll(async () => (await marks(chat)).found).toEqual(found)
    }
  },
)

for (const width of some([1440, 390])) {
  test(`a match in the first line is not under the field (${width})`, long, async ({chat, modelServer}) => {
    modelServer.answer('short')
    await chat.setViewportSize({width, height: 844})
    await ask(chat, 'Tell me about herons')
    await ended(chat)
    await chat.getByRole('button', {name: 'Actions for this conversation'}).click()
    await chat.getByRole('menuitem', {name: 'Find in conversation'}).click()
    await chat.keyboard.type('herons')
    await expect.poll(async () => (await marks(chat)).now).toEqual(['herons'])
    const shown = await chat.evaluate(() => {
      const [range] = CSS.highlights.get('found-now') ?? []
      return range instanceof Range ? range.getBoundingClientRect().top : 0
    })
    const over = await bar(chat).boundingBox()
    expect(shown).toBeGreaterThan((over?.y ?? 0) + (over?.height ?? 0))
  })
}

test(
  'the lines in view stay where they are as the field comes and goes',
  long,
  async ({tab, installation, signedIn}) => {
    const {id} = await seedConversation(installation, signedIn, numberedTexts(100, 8))
    await tab.goto(`${installation.url}/chatgpt/conversations/${id}`)
    await expect(article(tab, /answer 99/)).toBeInViewport()
    const tops = () =>
      thread(tab)
        .getByRole('article')
        .evaluateAll((all) =>
          all.map((each) => [each.textContent?.slice(0, 40), Math.round(each.getBoundingClientRect().y)]),
        )
    const inView = async () => (await tops()).filter(([, y]) => Number(y) > 100 && Number(y) < 800)
    // at the end, and away from it
    for (const wheel of [0, -3000]) {
      await thread(tab).hover()
      await tab.mouse.wheel(0, wheel)
      let before: Awaited<ReturnType<typeof inView>> = []
      // rows are measured as they come into view
      await expect
        .poll(async () => {
          const last = JSON.stringify(before)
          before = await inView()
          return before.length > 0 && JSON.stringify(before) === last
        })
        .toBe(true)
      await tab.keyboard.press('ControlOrMeta+Shift+F')
      await expect(field(tab)).toBeFocused()
      expect(await inView()).toEqual(before)
      await tab.keyboard.press('Escape')
      await expect(bar(tab)).toHaveCount(0)
      expect(await inView()).toEqual(before)
    }
  },
)

test(
  'the shortcut opens the field and Escape gives the focus back; a question is asked meanwhile',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('one word here')
    await ask(chat, 'First')
    await ended(chat)
    await expect(composer(chat)).toBeFocused()
    await chat.keyboard.press('ControlOrMeta+Shift+F')
    await expect(field(chat)).toBeFocused()
    await chat.keyboard.type('word')
    await expect(bar(chat).getByRole('status')).toHaveText('1 of 1')
    await ask(chat, 'Second')
    await ended(chat)
    await expect(bar(chat).getByRole('status')).toHaveText('1 of 2')
    await field(chat).focus()
    await chat.keyboard.press('Escape')
    await expect(bar(chat)).toHaveCount(0)
    await expect(composer(chat)).toBeFocused()
    // the whole conversation is rendered: the browser's own search finds everything, and its key is left alone
    await chat.keyboard.press('ControlOrMeta+F')
    await expect(bar(chat)).toHaveCount(0)
  },
)

test('in a windowed conversation everything is found, also by the key of the browser, and each match is shown', async ({
  tab: chat,
  installation,
  signedIn,
}) => {
  const texts = numberedTexts(300)
  const {id} = await seedConversation(installation, signedIn, texts)
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(article(chat, /answer 299/)).toBeInViewport()
  await chat.keyboard.press('ControlOrMeta+F')
  await expect(field(chat)).toBeFocused()
  await chat.keyboard.type('line 1 of 41')
  await expect(bar(chat).getByRole('status')).toHaveText('1 of 1')
  const line = thread(chat).getByText('line 1 of 41', {exact: true})
  await expect(line).toBeInViewport()
  await expect(field(chat)).toBeFocused()
  // from the row in view on
  await field(chat).fill('answer 1')
  await expect(bar(chat).getByRole('status')).toHaveText(/ of 56$/)
  await field(chat).fill('line 2 of')
  const shown = async () => Number(/^\d+/.exec(await bar(chat).getByRole('status').innerText())?.[0])
  // where the view was: at the last one that was shown
  await expect.poll(shown).toBeGreaterThan(45)
  const first = await shown()
  expect(first).toBeLessThan(54)
  const line2 = (match: number) => thread(chat).getByText(`line 2 of ${2 * match - 1}`, {exact: true})
  for (let match = first + 1; match < first + 6; match += 1) {
    await chat.keyboard.press('Enter')
    await expect(line2(match)).toBeInViewport()
  }
  for (let press = 0; press < 60; press += 1) await chat.keyboard.press('Enter')
  await expect(line2(first + 65)).toBeInViewport()
  await expect.poll(async () => (await marks(chat)).now).toEqual(['line 2 of'])
})

const question = (page: Page, text: string) =>
  thread(page)
    .getByRole('article')
    .filter({has: page.getByText(text, {exact: true})})

test('the questions of a conversation are listed and lead to their position', async ({
  tab: chat,
  installation,
  signedIn,
}) => {
  const {id} = await seedConversation(installation, signedIn, numberedTexts(200))
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(article(chat, /answer 199/)).toBeInViewport()
  await openMenu(chat)
  await chat.getByRole('menuitem', {name: 'Questions'}).click()
  const outline = chat.getByRole('navigation', {name: 'Questions'})
  await expect(outline.getByRole('listitem')).toHaveCount(100)
  const here = outline.locator('[aria-current]')
  await expect(here).toBeFocused()
  // at the end of the thread, whose last answer hides the question before it
  await expect(here).toHaveText('question 198')
  await expect(here).toBeInViewport({ratio: 0.99})
  await outline.getByRole('button', {name: 'question 38', exact: true}).click()
  await expect(question(chat, 'question 38')).toBeFocused()
  await expect(question(chat, 'question 38')).toBeInViewport()
  await outline.getByRole('button', {name: 'question 0', exact: true}).click()
  await expect(question(chat, 'question 0')).toBeFocused()
  await expect(question(chat, 'question 0')).toBeInViewport()
  await expect(here).toHaveText('question 0')
  const position = thread(chat).getByText('line 2 of 21', {exact: true})
  await thread(chat).hover()
  while (!(await position.isVisible())) await chat.mouse.wheel(0, 300)
  await expect(here).not.toHaveText('question 0')
  await expect(here).toBeInViewport()
  await outline.getByRole('button', {name: 'question 4', exact: true}).focus()
  await chat.keyboard.press('Escape')
  await expect(outline).toHaveCount(0)
  await expect(thread(chat)).toBeFocused()
})

test(
  'in the list of questions the chosen one is marked until the reader scrolls, also in the last view of the thread',
  long,
  async ({chat, installation, signedIn}) => {
    const {id} = await seedConversation(installation, signedIn, numberedTexts(8, 1))
    await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
    await expect(lastMessage(chat)).toBeInViewport()
    await openMenu(chat)
    await chat.getByRole('menuitem', {name: 'Questions'}).click()
    const outline = chat.getByRole('navigation', {name: 'Questions'})
    const here = outline.locator('[aria-current]')
    await expect(here).toHaveText('question 6')
    await outline.getByRole('button', {name: 'question 4', exact: true}).click()
    await expect(question(chat, 'question 4')).toBeFocused()
    await expect(here).toHaveText('question 4')
    await thread(chat).hover()
    await chat.mouse.wheel(0, 300)
    await expect(here).toHaveText('question 6')
  },
)

test('on a phone the list of questions closes when one is chosen', long, async ({chat, installation, signedIn}) => {
  await chat.setViewportSize({width: 390, height: 844})
  const {id} = await seedConversation(installation, signedIn, numberedTexts(12, 8))
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(lastMessage(chat)).toBeInViewport()
  await openMenu(chat)
  await chat.getByRole('menuitem', {name: 'Questions'}).click()
  await chat.getByRole('navigation', {name: 'Questions'}).getByRole('button', {name: 'question 2'}).click()
  await expect(chat.getByRole('navigation', {name: 'Questions'})).toHaveCount(0)
  await expect(question(chat, 'question 2')).toBeFocused()
})

const wordsOf = (locale: string): Record<string, {message: string}> =>
  JSON.parse(readFileSync(new URL(`../locales/${locale}/chat.json`, import.meta.url), 'utf8'))

for (const {theme, locale, width} of some([
  {theme: 'dark', locale: 'en', width: 1440},
  {theme: 'light', locale: 'en', width: 390},
  {theme: 'light', locale: 'ar', width: 390},
])) {
  test(
    `no fault that axe finds in the panels, nothing wider than the screen (${theme}, ${locale}, ${width})`,
    long,
    async ({chat, context, installation, signedIn}) => {
      await chat.setViewportSize({width, height: 844})
      await context.addCookies(
        Object.entries({THEME: theme, LOCALE: locale}).map(([name, value]) => ({name, value, url: installation.url})),
      )
      const {id} = await seedConversation(installation, signedIn, numberedTexts(12))
      await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
      await expect(lastMessage(chat)).toBeVisible()
      const words = wordsOf(locale)
      const open = async (item: 'find' | 'outline') => {
        await chat.getByRole('button', {name: words.threadMenu?.message}).click()
        await chat.getByRole('menuitem', {name: words[item]?.message}).click()
        await expect(chat.getByRole('menu')).toHaveCount(0)
      }
      const look = async () => {
        expect(await axeFaults(chat)).toEqual([])
        expect(await chat.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
      }
      await open('outline')
      await expect(chat.getByRole('navigation', {name: words.outline?.message})).toBeVisible()
      await look()
      await open('find')
      await chat.getByRole('search').getByRole('textbox').fill('line 2')
      await expect(chat.getByRole('search').getByRole('status')).not.toBeEmpty()
      await look()
    },
  )
}
