import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {keepAnnouncements} from './support/announcements.ts'
import {ended, lastMessage, thread} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {anyPhone, askByTouch, expectForFingers, expectGoodInBothThemes, startOf} from './support/phone.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'
import {wordsOf} from './support/words-of.ts'

/* Everything that a reader does with a conversation, by a finger, on a phone in Arabic, and in English. */

test.use(anyPhone)

const distance = (page: Page) =>
  thread(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)
const top = (page: Page) => thread(page).evaluate((element) => element.scrollTop)

/** A finger that pulls the thread down. */
async function pull(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const at = (down: number) => [{x: 195, y: 250 + down}]
  await session.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: at(0)})
  for (let down = 20; down <= 300; down += 20)
    await session.send('Input.dispatchTouchEvent', {type: 'touchMove', touchPoints: at(down)})
  await session.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []})
}

test(
  'a finger stops following, a selection outlasts the answer, each block has its direction',
  long,
  async ({chat, modelServer}) => {
    const word = await wordsOf(chat)
    const lines = Array.from({length: 80}, (_, index) => `line ${index}`).join('\n\n')
    modelServer.answer(`${lines}\n\nسطر أخير\n\n- عنصر\n\n\`\`\`\nconst a = 1\n\`\`\``)
    modelServer.hold(80)
    const said = await keepAnnouncements(chat)
    await askByTouch(chat, 'طويل؟')
    await expect(lastMessage(chat)).toContainText('line 39')
    await expect.poll(() => distance(chat)).toBeLessThan(2)
    await pull(chat)
    await expect.poll(() => distance(chat)).toBeGreaterThan(100)
    const jump = chat.getByRole('button', {name: word('chat.jumpToLatest'), exact: true})
    await expect(jump).toBeVisible()
    await expectGoodInBothThemes(chat, 'an answer that grows')

    const selected = () => chat.evaluate(() => document.getSelection()?.toString())
    await thread(chat)
      .getByText('line 30', {exact: true})
      .evaluate((line) => document.getSelection()?.selectAllChildren(line))
    expect(await selected()).toBe('line 30')
    const before = await top(chat)
    modelServer.release()
    await expect(lastMessage(chat)).toContainText('const a = 1')
    await ended(chat)
    expect(await selected()).toBe('line 30')
    expect(await top(chat)).toBe(before)
    await expect.poll(said).toEqual([word('chat.answerStarted'), word('chat.answerReady')])

    await chat.evaluate(() => document.getSelection()?.removeAllRanges())
    expect((await jump.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await jump.tap()
    await expect.poll(() => distance(chat)).toBeLessThan(2)
    const directionOf = (text: string) =>
      lastMessage(chat)
        .getByText(text, {exact: true})
        .last()
        .evaluate((element) => getComputedStyle(element).direction)
    expect(await directionOf('line 79')).toBe('ltr')
    expect(await directionOf('سطر أخير')).toBe('rtl')
    expect(await directionOf('عنصر')).toBe('rtl')
    expect(await directionOf('const a = 1')).toBe('ltr')
    await expectGoodInBothThemes(chat, 'a whole answer')
  },
)

test('words are found and questions lead to their position', long, async ({chat, installation, signedIn}) => {
  const {id} = await seedConversation(installation, signedIn, numberedTexts(40))
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(lastMessage(chat)).toBeInViewport()
  const word = await wordsOf(chat)
  const open = async (message: string) => {
    await chat.getByRole('button', {name: word('chat.threadMenu'), exact: true}).tap()
    await chat.getByRole('menuitem', {name: word(message), exact: true}).tap()
  }
  const bar = chat.getByRole('search', {name: word('chat.find')})
  await open('chat.find')
  await bar.getByRole('textbox').fill('line 1 of 1')
  // 1, 11, 13, 15, 17 and 19
  await expect(bar.getByRole('status')).toContainText(/[6٦]/)
  const marked = () =>
    chat.evaluate(() => {
      const [range] = CSS.highlights.get('found-now') ?? []
      const {top: start, bottom} = range instanceof Range ? range.getBoundingClientRect() : new DOMRect()
      return {
        isShown: bottom > 0 && start < innerHeight,
        row: range instanceof Range ? range.startContainer.textContent : '',
      }
    })
  await expect.poll(async () => (await marked()).isShown).toBe(true)
  await expectForFingers(chat, bar)
  await expectGoodInBothThemes(chat, 'found words')
  const first = await marked()
  await bar.getByRole('button', {name: word('chat.findPrevious'), exact: true}).tap()
  await expect.poll(async () => (await marked()).row).not.toBe(first.row)
  await bar.getByRole('button', {name: word('chat.findNext'), exact: true}).tap()
  await expect.poll(marked).toEqual(first)
  await bar.getByRole('textbox').fill('nowhere')
  await expect(bar.getByRole('status')).toHaveText(word('chat.findNone'))
  await bar.getByRole('button', {name: word('common.close'), exact: true}).tap()
  await expect(bar).toHaveCount(0)

  await open('chat.outline')
  const outline = chat.getByRole('navigation', {name: word('chat.outline')})
  await expect(outline.getByRole('listitem')).toHaveCount(20)
  await expectForFingers(chat, outline)
  await expectGoodInBothThemes(chat, 'questions')
  await outline.getByRole('button', {name: 'question 4', exact: true}).tap()
  await expect(outline).toHaveCount(0)
  const question = thread(chat)
    .getByRole('article')
    .filter({has: chat.getByText('question 4', {exact: true})})
  await expect(question).toBeFocused()
  await expect(question).toBeInViewport()
})

test(
  'the name of the model stands in the middle of the head, with and without the menu beside it',
  long,
  async ({chat}) => {
    const word = await wordsOf(chat)
    const head = chat.getByRole('banner')
    const model = head.getByRole('button', {name: startOf(word('chat.chooseModel'))})
    const offCentre = () =>
      model.evaluate((button) => {
        const {left, right} = button.getBoundingClientRect()
        return Math.abs((left + right) / 2 - innerWidth / 2)
      })
    await expect.poll(offCentre).toBeLessThanOrEqual(2)
    await askByTouch(chat, 'heron')
    await ended(chat)
    await expect(head.getByRole('button', {name: word('chat.threadMenu'), exact: true})).toBeVisible()
    await expect.poll(offCentre).toBeLessThanOrEqual(2)
  },
)

test('at the end of a long conversation its last question is current, and in view in the list', async ({
  chat,
  installation,
  signedIn,
}) => {
  const {id} = await seedConversation(installation, signedIn, numberedTexts(120))
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(lastMessage(chat)).toBeInViewport()
  await expect.poll(() => distance(chat)).toBeLessThan(2)
  const word = await wordsOf(chat)
  await chat.getByRole('button', {name: word('chat.threadMenu'), exact: true}).tap()
  await chat.getByRole('menuitem', {name: word('chat.outline'), exact: true}).tap()
  const outline = chat.getByRole('navigation', {name: word('chat.outline')})
  await expect(outline.getByRole('listitem')).toHaveCount(60)
  const current = outline.locator('[aria-current]')
  await expect(current).toHaveText('question 118')
  await expect(current).toBeInViewport({ratio: 0.99})
})
