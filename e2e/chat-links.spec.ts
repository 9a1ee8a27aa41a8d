import {randomUUID} from 'node:crypto'
import type {Locator, Page} from '@playwright/test'
import {answers, expect, test} from './fixtures.ts'
import {ask, chooseAction, conversationId, conversations, ended, lastMessage, thread} from './support/chat-page.ts'
import {clipboard} from './support/clipboard.ts'
import {askAndRead, edit, expectMessages, pager} from './support/message-versions.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'
import {some, long} from './support/full-run.ts'
import {secondTab} from './support/signed-in.ts'

/* Links to a message: copied at it, followed on a cold page, in a short conversation and in a windowed one. */

const article = (page: Page, text: string) => thread(page).getByRole('article').filter({hasText: text})

declare global {
  interface Window {
    /** Texts of what was marked by an animation. */
    marked: (string | null)[]
  }
}
/** Keeps what is marked from the next load on: a busy machine may look when the colour has faded. */
const keepMarks = (page: Page) =>
  page.addInitScript(() => {
    window.marked = []
    const {animate} = Element.prototype
    Element.prototype.animate = function (this: Element, ...given: Parameters<typeof animate>) {
      window.marked.push(this.textContent)
      return animate.apply(this, given)
    }
  })

/** Copies the link of a message by its menu. */
async function linkOf(page: Page, message: Locator): Promise<string> {
  await chooseAction(message, 'Copy link')
  const id = await conversationId(page)
  await expect.poll(() => clipboard(page)).toMatch(new RegExp(`/chatgpt/conversations/${id}#[0-9a-f-]{36}$`))
  return clipboard(page)
}

/** Asks a conversation's first question anew: what it had is another version, below which a link may lead. */
async function askAnew(page: Page, question: string): Promise<void> {
  await edit(answers(page).first(), question, 'Save & ask again')
  await expectMessages(page, question, `said: ${question}`)
  await ended(page)
}

test('the mark of a linked answer ends where the next question begins', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  await chat.addInitScript(() => {
    const {animate} = Element.prototype
    Element.prototype.animate = function (this: Element, ...given: Parameters<typeof animate>) {
      const animation = animate.apply(this, given)
      if (this.matches('[data-row]')) animation.pause()
      return animation
    }
  })
  await chat.goto(`${chat.url()}#m2`)
  await chat.reload()
  const reach = () =>
    thread(chat)
      .locator('[data-row="1"]')
      .evaluate((row) => {
        const shadow = getComputedStyle(row).boxShadow
        const [, top = 0, blur = 0, spread = 0] = [...shadow.matchAll(/(-?[\d.]+)px/g)].map(([, size]) => Number(size))
        return shadow === 'none' ? undefined : top + blur + spread
      })
  await expect.poll(reach).toBe(0)
  // the frame of the focus
  const space = await thread(chat).evaluate((log) => {
    const answer = log.querySelector('[data-row="1"] article')
    const bubble = log.querySelector('[data-row="2"] article')
    if (answer === null || bubble === null) return undefined
    const {outlineOffset, outlineWidth} = getComputedStyle(answer)
    const frame =
      answer.getBoundingClientRect().bottom + Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
    return bubble.getBoundingClientRect().top - frame
  })
  expect(space).toBeGreaterThanOrEqual(0)
})

test('the frame of a linked question follows its bubble, above its buttons', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  await chat.goto(`${chat.url()}#m3`)
  await chat.reload()
  const question = thread(chat).locator('[data-row="2"] article')
  await expect(question).toBeFocused()
  const space = () =>
    question.evaluate((message) => {
      const framed = [message, ...message.children].filter((part) => getComputedStyle(part).outlineStyle === 'solid')
      const [frame] = framed
      const button = message.querySelector('button')
      if (frame === undefined || framed.length > 1 || button === null) return undefined
      const {outlineOffset, outlineWidth} = getComputedStyle(frame)
      const reach = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
      return button.getBoundingClientRect().top - frame.getBoundingClientRect().bottom - reach
    })
  await expect.poll(space).toBeGreaterThanOrEqual(0)
})

test(
  'the link of a message leads to it, gives it the focus and marks it',
  long,
  async ({chat, context, modelServer}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    modelServer.answer((prompt) => `${prompt} answered\n\n${'line\n\n'.repeat(60)}`)
    await ask(chat, 'First')
    await ended(chat)
    await ask(chat, 'Second')
    await ended(chat)
    const link = await linkOf(chat, article(chat, 'First answered'))

    const other = await context.newPage()
    await keepMarks(other)
    await other.goto(link)
    await expect(article(other, 'First answered')).toBeFocused()
    await expect(article(other, 'First answered')).toBeInViewport()
    await expect(lastMessage(other)).not.toBeInViewport()
    expect(await other.evaluate(() => window.marked)).toEqual([expect.stringContaining('First answered')])
    const marks = () =>
      article(other, 'First answered').evaluate((message) => message.parentElement?.getAnimations().length)
    await expect.poll(marks).toBe(0)

    // a question of this page has no id yet: its position names it
    await chooseAction(article(chat, 'Second').first(), 'Copy link')
    await expect.poll(() => clipboard(chat)).not.toBe(link)
    const second = await clipboard(chat)
    await other.goto(second)
    await expect(article(other, 'Second').first()).toBeFocused()
  },
)

for (const at of some([0, 60, 198, 151])) {
  test(
    `in a windowed conversation a link leads to message ${at} on a cold page, and stays there`,
    long,
    async ({chat, installation, signedIn}) => {
      const {id, messages} = await seedConversation(installation, signedIn, numberedTexts(200))
      await chat.goto(`${installation.url}/chatgpt/conversations/${id}#${messages[at]}`)
      const message = thread(chat)
        .getByRole('article')
        .filter({has: chat.getByText(new RegExp(`^(question|answer) ${at}$`))})
      await expect(message).toBeFocused()
      await measured(message)
      await expect(message).toBeInViewport()
    },
  )
}

/** Nothing is measured any more: a message stays where it is from one frame to the next. */
const measured = (message: Locator) =>
  message.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        let last = NaN
        const look = () => {
          const {top} = element.getBoundingClientRect()
          if (top === last) resolve()
          last = top
          requestAnimationFrame(look)
        }
        look()
      }),
  )

test('a link to a message that is gone says so, and shows the conversation', async ({
  tab: chat,
  installation,
  signedIn,
}) => {
  const {id} = await seedConversation(installation, signedIn, numberedTexts(4))
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}#${randomUUID()}`)
  await expect(article(chat, 'answer 3')).toBeVisible()
  await expect(chat.getByRole('status').filter({hasText: 'The message of this link is not here.'})).toBeVisible()
})

test('a link to a message below another version shows that version', long, async ({chat, context}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  const link = await linkOf(chat, article(chat, 'said: two'))
  await askAnew(chat, 'uno')

  const other = await secondTab(chat, link)
  await expect(article(other, 'said: two')).toBeFocused()
  await expectMessages(other, 'one', 'said: one', 'two', 'said: two')
  await expect(other.getByText('The message of this link is not here.')).toHaveCount(0)
})

test(
  'who only reads another version leaves what is chosen as it is, until something is asked there',
  long,
  async ({chat, context, modelServer}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await askAndRead(chat, 'one')
    await askAndRead(chat, 'two')
    const link = await linkOf(chat, article(chat, 'said: two'))
    await askAnew(chat, 'uno')

    const reader = await secondTab(chat, link)
    await expect(article(reader, 'said: two')).toBeFocused()
    await expectMessages(reader, 'one', 'said: one', 'two', 'said: two')
    await reader.reload()
    await expectMessages(reader, 'one', 'said: one', 'two', 'said: two')
    await expectMessages(chat, 'uno', 'said: uno')
    await chat.reload()
    await expectMessages(chat, 'uno', 'said: uno')

    // what is asked on the chosen path meanwhile is shown there alone
    await askAndRead(chat, 'due')
    await expectMessages(chat, 'uno', 'said: uno', 'due', 'said: due')
    await expectMessages(reader, 'one', 'said: one', 'two', 'said: two')

    await askAndRead(reader, 'three')
    await expectMessages(reader, 'one', 'said: one', 'two', 'said: two', 'three', 'said: three')
    expect(modelServer.calls.at(-1)?.messages.map(({content}) => content)).toEqual([
      'one',
      'You said: one',
      'two',
      'You said: two',
      'three',
    ])
    await expectMessages(chat, 'one', 'said: one', 'two', 'said: two', 'three', 'said: three')
    await reader.reload()
    await expectMessages(reader, 'one', 'said: one', 'two', 'said: two', 'three', 'said: three')
  },
)

test(
  'a version that is paged to from a link is chosen, and the address without the message shows what is',
  long,
  async ({chat, context}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await askAndRead(chat, 'one')
    const link = await linkOf(chat, article(chat, 'said: one'))
    await askAnew(chat, 'uno')

    const reader = await secondTab(chat, link)
    await expectMessages(reader, 'one', 'said: one')
    await conversations(reader).getByRole('link', {name: /^one/}).first().click()
    await expectMessages(reader, 'uno', 'said: uno')
    await reader.goBack()
    await expectMessages(reader, 'one', 'said: one')
    await pager(answers(reader).first()).getByRole('button', {name: 'Next version'}).press('Enter')
    await expectMessages(reader, 'uno', 'said: uno')
    await expect(reader.getByText('The message of this link is not here.')).toHaveCount(0)
    await pager(answers(reader).first()).getByRole('button', {name: 'Previous version'}).press('Enter')
    await expectMessages(reader, 'one', 'said: one')
    await expectMessages(chat, 'one', 'said: one')
  },
)
