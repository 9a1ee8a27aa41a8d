import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {keepAnnouncements} from './support/announcements.ts'
import {answers, ended, lastMessage, thread} from './support/chat-page.ts'
import {anyDesktop, beginningsOf, desktopChat, directionsOf} from './support/desktop.ts'
import {long} from './support/full-run.ts'
import {directionOf, expectGoodInBothThemes, startOf} from './support/phone.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'

/* Everything that a reader does with a conversation, on a desktop in English, and in Arabic. */

test.use(anyDesktop)

const distance = (page: Page) =>
  thread(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)
const top = (page: Page) => thread(page).evaluate((element) => element.scrollTop)
const selected = (page: Page) => page.evaluate(() => document.getSelection()?.toString())

test('the wheel stops following, a selection outlasts the answer, each block has its direction', async ({
  chat,
  modelServer,
}) => {
  const {word, button} = await desktopChat(chat)
  const lines = Array.from({length: 80}, (_, index) => `line ${index}`).join('\n\n')
  modelServer.answer(
    `<think>فكرة أولى</think>\n\n${lines}\n\nسطر أخير\n\n- عنصر\n\n> اقتباس\n\n\`\`\`\nconst a = 1\n\`\`\``,
  )
  modelServer.hold(80)
  const said = await keepAnnouncements(chat)
  await ask(chat, 'طويل؟')
  await expect(lastMessage(chat)).toContainText('line 30')
  await expect.poll(() => distance(chat)).toBeLessThan(2)
  await thread(chat).hover()
  await chat.mouse.wheel(0, -400)
  await expect.poll(() => distance(chat)).toBeGreaterThan(100)
  const jump = button(chat, 'chat.jumpToLatest')
  await expect(jump).toBeVisible()
  await expectGoodInBothThemes(chat, 'an answer that grows')

  await thread(chat)
    .getByText('line 25', {exact: true})
    .evaluate((line) => document.getSelection()?.selectAllChildren(line))
  const before = await top(chat)
  modelServer.release()
  await expect(lastMessage(chat)).toContainText('const a = 1')
  await ended(chat)
  expect(await selected(chat)).toBe('line 25')
  expect(await top(chat)).toBe(before)
  await expect.poll(said).toEqual([word('chat.answerStarted'), word('chat.answerReady')])

  await chat.evaluate(() => document.getSelection()?.removeAllRanges())
  await jump.press('Enter')
  await expect.poll(() => distance(chat)).toBeLessThan(2)
  expect(await directionsOf(lastMessage(chat), 'line 79', 'سطر أخير', 'عنصر', 'اقتباس', 'const a = 1')).toEqual([
    ...['ltr', 'rtl', 'rtl', 'rtl', 'ltr'],
  ])
  await expectGoodInBothThemes(chat, 'the end of an answer')

  await thread(chat).hover()
  await chat.mouse.wheel(0, -20_000)
  const thoughts = lastMessage(chat).getByRole('group')
  await expect(thoughts.getByText('فكرة أولى')).toBeHidden()
  await thoughts.getByText(startOf(word('chat.thoughts'))).click()
  await expect(thoughts.getByText('فكرة أولى')).toBeVisible()
  await expectGoodInBothThemes(chat, 'thoughts')
})

test(
  'words are found, questions lead to their position, and a long one is folded',
  long,
  async ({chat, installation, locale, signedIn}) => {
    const folded = Array.from({length: 40}, (_, line) => `سطر ${line} من السؤال`).join('\n')
    const {id} = await seedConversation(installation, signedIn, [...numberedTexts(20), folded, 'answer 21'])
    await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
    await expect(lastMessage(chat)).toBeInViewport()
    const {word, button, chooseOfThread} = await desktopChat(chat)
    await expect(chat.locator('html')).toHaveAttribute('dir', directionOf(locale))

    const question = answers(chat).nth(20)
    await expect(button(question, 'chat.showAll')).toHaveAttribute('aria-expanded', 'false')
    await expectGoodInBothThemes(chat, 'a folded question')
    await button(question, 'chat.showAll').press('Enter')
    await expect(button(question, 'chat.showLess')).toBeFocused()
    await button(question, 'chat.showLess').click()

    const bar = chat.getByRole('search', {name: word('chat.find')})
    const status = bar.getByRole('status')
    await composer(chat).focus()
    await chat.keyboard.press('ControlOrMeta+Shift+F')
    await bar.getByRole('textbox').fill('line 1 of 1')
    // 1, 11, 13, 15, 17 and 19
    const count = 6
    const numbers = [1, 2, 3, 4, 5, 6].map((current) => word('chat.findCount', {current, count}))
    await expect(status).toHaveText(new RegExp(numbers.join('|')))
    const position = numbers.indexOf(await status.innerText())
    await chat.keyboard.press('Enter')
    await expect(status).toHaveText(numbers[(position + 1) % count] ?? '')
    await button(bar, 'chat.findPrevious').click()
    await expect(status).toHaveText(numbers[position] ?? '')
    await expectGoodInBothThemes(chat, 'found words')
    await bar.getByRole('textbox').fill('السؤال')
    await expect(status).toHaveText(word('chat.findCount', {current: 1, count: 40}))
    await chat.keyboard.press('Shift+Enter')
    await expect(status).toHaveText(word('chat.findCount', {current: 40, count: 40}))
    await expect(button(question, 'chat.showLess')).toBeVisible()
    await bar.getByRole('textbox').fill('nowhere')
    await expect(status).toHaveText(word('chat.findNone'))
    await chat.keyboard.press('Escape')
    await expect(bar).toHaveCount(0)

    await chooseOfThread('chat.outline')
    const outline = chat.getByRole('navigation', {name: word('chat.outline')})
    await expect(outline.getByRole('listitem')).toHaveCount(11)
    await expect(outline.locator('[aria-current]')).toBeFocused()
    const [ofArabic, ofEnglish] = await beginningsOf(outline.getByText('سطر 0'), outline.getByText('question 18'))
    expect(ofArabic).toBe(ofEnglish)
    await test.step('the list stands at the end of the page', async () => {
      const box = await outline.boundingBox()
      const middle = (box?.x ?? 0) + (box?.width ?? 0) / 2
      expect(middle > 720).toBe(locale !== 'ar')
    })
    await outline.getByRole('button', {name: 'question 4', exact: true}).click()
    const there = thread(chat)
      .getByRole('article')
      .filter({has: chat.getByText('question 4', {exact: true})})
    await expect(there).toBeFocused()
    await expect(there).toBeInViewport()
    const [ofList, ofQuestion] = await Promise.all(
      [outline, there.getByText('question 4', {exact: true})].map((part) => part.boundingBox()),
    )
    const [first, second] = locale === 'ar' ? [ofList, ofQuestion] : [ofQuestion, ofList]
    expect((first?.x ?? 0) + (first?.width ?? 0), 'the list lies on the question').toBeLessThanOrEqual(second?.x ?? 0)
    await test.step('the message field stands below the messages still', async () => {
      const [field, log] = [await chat.getByRole('main').locator('form').boundingBox(), await there.boundingBox()]
      const middles = [field, log].map((box) => (box?.x ?? 0) + (box?.width ?? 0) / 2)
      expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThan(8)
    })
    await expectGoodInBothThemes(chat, 'a question beside the list')
    await outline.getByRole('button', {name: 'question 6', exact: true}).focus()
    await chat.keyboard.press('Escape')
    await expect(outline).toHaveCount(0)
  },
)
