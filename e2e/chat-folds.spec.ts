import type {Locator, Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {answers, ask, ended, lastMessage, thread} from './support/chat-page.ts'
import {long, some} from './support/full-run.ts'
import {seedConversation} from './support/seeded-conversation.ts'

/* A long question is folded to its first lines. */

const lines = (count: number) => Array.from({length: count}, (_, line) => `line ${line} of the question`).join('\n')
const openButton = (of: Locator) => of.getByRole('button', {name: 'Show all'})
const closeButton = (of: Locator) => of.getByRole('button', {name: 'Show less'})
const words = (of: Locator) => of.locator('[data-words]').first()
const heightOf = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().height)
const selected = (page: Page) => page.evaluate(() => getSelection()?.toString())

test('a long question is folded, opened and closed by keys and by the mouse, and a selection stays', async ({
  tab: chat,
  installation,
  signedIn,
}) => {
  const {id} = await seedConversation(installation, signedIn, [lines(16), 'short', lines(60), 'an answer'])
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  const question = answers(chat).nth(2)
  await expect(openButton(question)).toHaveAttribute('aria-expanded', 'false')
  await expect(answers(chat).first().getByRole('button', {name: 'Show all'})).toHaveCount(0)
  const folded = await heightOf(words(question))
  expect(folded).toBeLessThan(300)
  await words(question).evaluate((element) => getSelection()?.setBaseAndExtent(element, 0, element, 1))
  const selection = await selected(chat)
  expect(selection).toContain('line 59 of the question')
  await openButton(question).press('Enter')
  await expect(closeButton(question)).toHaveAttribute('aria-expanded', 'true')
  await expect(closeButton(question)).toBeFocused()
  expect(await heightOf(words(question))).toBeGreaterThan(1_400)
  expect(await selected(chat)).toBe(selection)
  await closeButton(question).click()
  expect(await heightOf(words(question))).toBe(folded)
  await expect(words(question)).toBeInViewport()
  await expect(openButton(question)).toBeInViewport()
  // copied and edited as a whole
  await question.getByRole('button', {name: 'Edit'}).click()
  await expect(chat.getByRole('textbox', {name: 'Edit message'})).toHaveValue(lines(60))
})

test(
  'a question of wide characters is folded as soon as one of as many lines in Latin letters',
  long,
  async ({chat, installation, signedIn}) => {
    const {id} = await seedConversation(installation, signedIn, [
      '道'.repeat(700),
      'an answer',
      'a'.repeat(700),
      'another',
    ])
    await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
    await expect(openButton(answers(chat).first())).toBeVisible()
    await expect(openButton(thread(chat))).toHaveCount(1)
  },
)

test('what is found, linked to or selected on in a folded question opens it', async ({
  tab: chat,
  installation,
  signedIn,
}) => {
  const {id, messages} = await seedConversation(installation, signedIn, [lines(60), 'an answer', lines(60), 'another'])
  const address = `${installation.url}/chatgpt/conversations/${id}`
  await chat.goto(address)
  await expect(openButton(thread(chat))).toHaveCount(2)
  await chat.getByRole('button', {name: 'Actions for this conversation'}).click()
  await chat.getByRole('menuitem', {name: 'Find in conversation'}).click()
  await chat.keyboard.type('line 3 of')
  await expect(chat.getByRole('search').getByRole('status')).toHaveText(/^\d of 2$/)
  // the lines that are shown open nothing
  await expect(openButton(thread(chat))).toHaveCount(2)
  await chat.keyboard.press('ControlOrMeta+A')
  await chat.keyboard.type('line 40 of')
  await expect(closeButton(thread(chat))).toHaveCount(1)
  await expect
    .poll(() =>
      chat.evaluate(() => {
        const [range] = CSS.highlights.get('found-now') ?? []
        const log = document.querySelector('[role="log"]')?.getBoundingClientRect()
        const match = range instanceof Range ? range.getBoundingClientRect() : undefined
        return log !== undefined && match !== undefined && match.top >= log.top && match.bottom <= log.bottom
      }),
    )
    .toBe(true)

  await chat.goto('about:blank')
  await chat.goto(`${address}#${messages[0]}`)
  await expect(answers(chat).first()).toBeFocused()
  await expect(closeButton(answers(chat).first())).toBeVisible()
  await expect(openButton(answers(chat).nth(2))).toHaveCount(1)

  // as the browser does for its own search, and for a selection that is drawn over the edge
  await words(answers(chat).nth(2)).evaluate((element) => (element.scrollTop = 300))
  await expect(openButton(thread(chat))).toHaveCount(0)
  await expect(answers(chat).nth(2).getByText('Show less')).toBeVisible()
})

test(
  'a question that is opened while its answer grows stays where it is, and nothing moved before',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer(Array.from({length: 60}, (_, line) => `answer ${line}`).join('\n\n'))
    modelServer.hold(2)
    await ask(chat, lines(60))
    await expect(lastMessage(chat)).toContainText('answer')
    const question = answers(chat).first()
    const top = await words(question).evaluate((element) => element.getBoundingClientRect().top)
    await openButton(question).click()
    await expect(closeButton(question)).toHaveCount(1)
    expect(await words(question).evaluate((element) => element.getBoundingClientRect().top)).toBe(top)
    modelServer.release()
    await ended(chat)
    expect(await words(question).evaluate((element) => element.getBoundingClientRect().top)).toBe(top)
  },
)

for (const {theme, locale, width} of some([
  {theme: 'dark', locale: 'en', width: 1440},
  {theme: 'light', locale: 'ar', width: 390},
])) {
  test(
    `no fault that axe finds in a folded question, nothing wider than the screen (${theme}, ${locale}, ${width})`,
    long,
    async ({chat, context, installation, signedIn}) => {
      await chat.setViewportSize({width, height: 844})
      await context.addCookies(
        Object.entries({THEME: theme, LOCALE: locale}).map(([name, value]) => ({name, value, url: installation.url})),
      )
      const {id} = await seedConversation(installation, signedIn, [lines(60), 'an answer'])
      await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
      const toggle = answers(chat).first().locator('[aria-expanded][data-unfolds]')
      await expect(toggle).toBeVisible()
      expect(await axeFaults(chat)).toEqual([])
      await toggle.click()
      expect(await axeFaults(chat)).toEqual([])
      expect(await chat.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
    },
  )
}
