import type {Locator, Page, Request} from '@playwright/test'
import {answers, ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {
  chooseAction,
  conversationId,
  conversations,
  ended,
  lastMessage,
  newChat,
  offeredModel,
  row,
  storedConversations,
  thread,
} from './support/chat-page.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {blankTab} from './support/signed-in.ts'
import {long, some} from './support/full-run.ts'

/* Versions of messages: nothing that was written is lost by an edit, another answer or a deletion that is taken back. */

const pager = (message: Locator) => message.getByRole('group', {name: 'Versions'})
const texts = (page: Page) => answers(page).getByRole('paragraph')

/** The words of all messages on the page. */
const expectMessages = async (page: Page, ...words: string[]) => {
  await expect(answers(page)).toHaveCount(words.length)
  for (const [index, word] of words.entries()) await expect(answers(page).nth(index)).toContainText(word)
}

async function edit(message: Locator, text: string, button: 'Save' | 'Save & ask again'): Promise<void> {
  await message.hover()
  await message.getByRole('button', {name: 'Edit'}).click()
  await message.getByRole('textbox', {name: 'Edit message'}).fill(text)
  await message.getByRole('button', {name: button, exact: true}).click()
}

async function asked(page: Page, question: string): Promise<void> {
  await ask(page, question)
  await expect(lastMessage(page)).toContainText(`said: ${question}`)
  await ended(page)
}

test('answers given again and changed questions are versions, after a reload and in another tab too', async ({
  chat,
  context,
  installation,
  signedIn,
  modelServer,
}) => {
  await asked(chat, 'one')
  await asked(chat, 'two')
  modelServer.answer('another two')
  await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expectMessages(chat, 'one', 'said: one', 'two', 'another two')
  await ended(chat)
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')

  modelServer.answer('said: uno')
  await edit(answers(chat).first(), 'uno', 'Save & ask again')
  await expectMessages(chat, 'uno', 'said: uno')
  await ended(chat)
  await chat.reload()
  await expectMessages(chat, 'uno', 'said: uno')
  await expect(pager(answers(chat).first())).toContainText('2 / 2')

  const other = await blankTab(context, installation.url, signedIn)
  await other.goto(chat.url())
  await expectMessages(other, 'uno', 'said: uno')
  await pager(answers(chat).first()).getByRole('button', {name: 'Previous version'}).press('Enter')
  await expectMessages(chat, 'one', 'said: one', 'two', 'another two')
  await expectMessages(other, 'one', 'said: one', 'two', 'another two')
  await pager(lastMessage(chat)).getByRole('button', {name: 'Next version'}).press('ArrowLeft')
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
  await expect(pager(lastMessage(chat))).toContainText('1 / 2')
  await expect(texts(other).last()).toContainText('said: two')
})

test('a failed answer is a version that can be left and shown again', long, async ({chat, modelServer}) => {
  await asked(chat, 'one')
  modelServer.fail(500, {error: {message: 'Exploded'}})
  await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expect(thread(chat).getByRole('alert')).toBeVisible()
  await pager(lastMessage(chat)).getByRole('button', {name: 'Previous version'}).click()
  await expectMessages(chat, 'one', 'said: one')
  await pager(lastMessage(chat)).getByRole('button', {name: 'Next version'}).click()
  await expect(thread(chat).getByRole('alert')).toBeVisible()
})

test('another model answers again, and the conversation goes on with its own', long, async ({chat, modelServer}) => {
  await asked(chat, 'one')
  const first = modelServer.calls.at(-1)?.model
  await chooseAction(lastMessage(chat), 'Choose a model for a new answer')
  await offeredModel(chat, /^GPT-4o basic/).click()
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')
  await ended(chat)
  expect([first, modelServer.calls.at(-1)?.model]).toEqual(['gpt-5-all', 'gpt-4o'])
  await chat.reload()
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')
  await asked(chat, 'two')
  expect(modelServer.calls.at(-1)?.model).toBe('gpt-5-all')
})

test('an edit that is left half typed is there again, until it is cancelled or sent', long, async ({chat}) => {
  await asked(chat, 'one')
  const editor = chat.getByRole('textbox', {name: 'Edit message'})
  await answers(chat).first().hover()
  await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
  await editor.fill('one and a half')
  await newChat(chat)
  await asked(chat, 'other')
  await row(chat, 'one').getByRole('link').click()
  await expect(editor).toHaveValue('one and a half')
  await expect(composer(chat)).toBeFocused()
  await chat.reload()
  await expect(editor).toHaveValue('one and a half')
  await editor.press('Escape')
  await expect(editor).toHaveCount(0)
  await answers(chat).first().hover()
  await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
  await expect(editor).toHaveValue('one')
  await expect(editor).toBeFocused()
  await editor.fill('two')
  await editor.press('Enter')
  await expectMessages(chat, 'two', 'said: two')
  await ended(chat)
  await chat.reload()
  await expectMessages(chat, 'two', 'said: two')
  await expect(editor).toHaveCount(0)
})

test(
  'what is typed into an editor stays there when another tab asks the same question otherwise',
  long,
  async ({chat, context, installation, signedIn}) => {
    await asked(chat, 'one')
    const other = await blankTab(context, installation.url, signedIn)
    await other.goto(chat.url())
    await expectMessages(other, 'one', 'said: one')
    await answers(chat).first().hover()
    await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
    await chat.getByRole('textbox', {name: 'Edit message'}).fill('uno')

    await edit(answers(other).first(), 'eins', 'Save & ask again')
    await expectMessages(other, 'eins', 'said: eins')
    await expect(texts(chat).last()).toContainText('said: eins')
    await expect(chat.getByRole('textbox', {name: 'Edit message'})).toHaveValue('uno')
    await chat.getByRole('button', {name: 'Save & ask again', exact: true}).click()
    await expectMessages(chat, 'uno', 'said: uno')
    await expect(pager(answers(chat).first())).toContainText('3 / 3')
  },
)

test(
  'where the words of an editor are is said when another tab replaces a question before it',
  long,
  async ({chat, context, installation, signedIn}) => {
    await asked(chat, 'one')
    await asked(chat, 'two')
    const other = await blankTab(context, installation.url, signedIn)
    await other.goto(chat.url())
    await expectMessages(other, 'one', 'said: one', 'two', 'said: two')
    const second = answers(chat).nth(2)
    await second.hover()
    await second.getByRole('button', {name: 'Edit'}).click()
    await chat.getByRole('textbox', {name: 'Edit message'}).fill('due')
    await edit(answers(other).first(), 'eins', 'Save & ask again')
    const notice = chat.getByRole('status').filter({hasText: 'Your words are kept with its own version.'})
    await expect(notice).toBeVisible()
    const middles = await notice.getByRole('button').evaluateAll((buttons) =>
      buttons.map((button) => {
        const {top, bottom} = button.getBoundingClientRect()
        return Math.round((top + bottom) / 2)
      }),
    )
    expect(middles).toHaveLength(2)
    expect(new Set(middles).size).toBe(1)
    await notice.getByRole('button', {name: 'Dismiss'}).click()
    await expect(notice).toHaveCount(0)
  },
)

test('a saved text asks nothing, and the text before stays', async ({chat, modelServer}) => {
  await asked(chat, 'one')
  const calls = modelServer.calls.length
  await edit(answers(chat).first(), 'uno', 'Save')
  await expectMessages(chat, 'uno', 'said: one')
  await expect(chat.getByRole('textbox', {name: 'Edit message'})).toHaveCount(0)
  expect(modelServer.calls).toHaveLength(calls)
  await pager(answers(chat).first()).getByRole('button', {name: 'Previous version'}).click()
  await expectMessages(chat, 'one')
  await expect(thread(chat).getByText('What followed this question is under another version.')).toBeVisible()
  // nothing follows the question: what leads to its other version shows without a pointer
  await composer(chat).focus()
  await chat.mouse.move(0, 0)
  await expect(pager(answers(chat).first()).locator('..')).toHaveCSS('opacity', '1')
  await pager(answers(chat).first()).getByRole('button', {name: 'Next version'}).click()
  await expectMessages(chat, 'uno', 'said: one')
  await expect(thread(chat).getByText('What followed')).toHaveCount(0)
})

test('a text cannot be saved while another change is on its way, which its button shows', long, async ({chat}) => {
  await asked(chat, 'one')
  await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')
  await ended(chat)
  const question = answers(chat).first()
  await question.hover()
  await question.getByRole('button', {name: 'Edit'}).click()
  await question.getByRole('textbox', {name: 'Edit message'}).fill('uno')
  const save = question.getByRole('button', {name: 'Save', exact: true})
  await expect(save).not.toHaveAttribute('aria-disabled')
  const changes = await HeldRoute.on(chat, /aichat\/conversations$/)
  await pager(lastMessage(chat)).getByRole('button', {name: 'Previous version'}).click()
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await changes.let(goOn)
  await expect(save).not.toHaveAttribute('aria-disabled')
  await save.click()
  await expectMessages(chat, 'uno', 'said: one')
})

test('while an answer is written the versions say why they stay', long, async ({chat, modelServer}) => {
  await asked(chat, 'one')
  await edit(answers(chat).first(), 'uno', 'Save')
  await expect(pager(answers(chat).first())).toBeVisible()
  modelServer.hold(1)
  await ask(chat, 'two')
  await expect(lastMessage(chat)).toContainText('You')
  await expect(pager(answers(chat).first())).toHaveAccessibleDescription(
    'Versions can be changed when the answer is complete.',
  )
  modelServer.release()
  await ended(chat)
  await expect(pager(answers(chat).first())).toHaveAccessibleDescription('')
})

test('a deleted message can be taken back; a page that is left deletes it', async ({chat}) => {
  await asked(chat, 'one')
  await asked(chat, 'two')
  const id = await conversationId(chat)
  const stored = async () => (await storedConversations(chat)).find((each) => each.id === id)?.messages.length
  await chooseAction(answers(chat).nth(1), 'Delete')
  await expect(answers(chat)).toHaveCount(3)
  await expect(thread(chat).getByRole('button', {name: 'Undo'})).toBeFocused()
  await chat.keyboard.press('ControlOrMeta+z')
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
  expect(await stored()).toBe(4)
  await chooseAction(answers(chat).nth(1), 'Delete')
  await expect(thread(chat).getByText('Message deleted')).toBeVisible()
  await chat.reload()
  await expect.poll(stored).toBe(3)
  await chat.reload()
  await expectMessages(chat, 'one', 'two', 'said: two')
})

test(
  'a tab that opens meanwhile leaves the undo of a deleted message to the other one',
  long,
  async ({chat, context}) => {
    await asked(chat, 'one')
    await asked(chat, 'two')
    const id = await conversationId(chat)
    const removals: string[] = []
    context.on('request', (request) => {
      if (request.postData()?.includes('"action":"remove"') === true) removals.push(request.url())
    })
    await chooseAction(answers(chat).nth(1), 'Delete')
    await expect(answers(chat)).toHaveCount(3)
    const other = await context.newPage()
    await other.goto(new URL(`/chatgpt/conversations/${id}`, chat.url()).href)
    await expect(lastMessage(other)).toContainText('said: two')
    await thread(chat).getByRole('button', {name: 'Undo'}).click()
    await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
    await expectMessages(other, 'one', 'said: one', 'two', 'said: two')
    await chat.reload()
    await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
    expect(removals).toEqual([])
  },
)

test('a message deleted a moment ago is not read with what is asked next', long, async ({chat, modelServer}) => {
  await asked(chat, 'one')
  await asked(chat, 'secret')
  const read = () => JSON.stringify(modelServer.calls.at(-1)?.messages)
  await chooseAction(answers(chat).nth(2), 'Delete')
  await chooseAction(lastMessage(chat), 'Delete')
  await asked(chat, 'two')
  expect(read()).not.toContain('secret')
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')

  await chooseAction(answers(chat).nth(1), 'Delete')
  await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expect(pager(lastMessage(chat))).toContainText('2 / 2')
  await ended(chat)
  expect(read()).not.toContain('said')
  await chat.reload()
  await expectMessages(chat, 'one', 'two', 'two')

  // no answer is given again to a question that is gone
  await chooseAction(answers(chat).nth(1), 'Delete')
  await expect(lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true})).toHaveCount(0)
})

test(
  'a question that waits for a deletion shows, and goes out although its chat or its page is left',
  long,
  async ({chat, modelServer}) => {
    await asked(chat, 'one')
    const isRemoval = (request: Request) => request.postData()?.includes('"remove"') === true
    const removals = await HeldRoute.on(chat, /aichat\/conversations$/, isRemoval)
    const read = () => JSON.stringify(modelServer.calls.at(-1)?.messages)

    await chooseAction(lastMessage(chat), 'Delete')
    await ask(chat, 'two')
    modelServer.answer('another two')
    await expect.poll(() => removals.held).toBe(1)
    await expect(answers(chat).nth(1)).toContainText('two')
    await newChat(chat)
    await removals.let(goOn)
    await conversations(chat).getByRole('link', {name: 'one'}).click()
    await expectMessages(chat, 'one', 'two', 'another two')
    await ended(chat)
    expect(read()).not.toContain('said: one')

    removals.hold()
    await chooseAction(lastMessage(chat), 'Delete')
    await ask(chat, 'three')
    await expect.poll(() => removals.held).toBeGreaterThan(0)
    removals.hold()
    await chat.reload()
    await expect(answers(chat).nth(2)).toContainText('three')
    await removals.let(goOn)
    await expectMessages(chat, 'one', 'two', 'three', 'another two')
    await ended(chat)
  },
)

test('a message deleted without a network stays deleted when the page closes', long, async ({wired: {page, cable}}) => {
  await asked(page, 'one')
  const id = await conversationId(page)
  const stored = async () => (await storedConversations(page)).find((each) => each.id === id)?.messages.length
  await chooseAction(lastMessage(page), 'Delete')
  await expect(thread(page).getByText('Message deleted')).toBeVisible()
  cable.cut()
  await page.goto('about:blank')
  cable.mend()
  await page.goBack()
  await expectMessages(page, 'one')
  await expect.poll(stored).toBe(1)
})

test('the arrow key edits the last question that is not deleted', long, async ({chat}) => {
  await asked(chat, 'one')
  await asked(chat, 'two')
  await chooseAction(answers(chat).nth(2), 'Delete')
  await expect(answers(chat)).toHaveCount(3)
  await composer(chat).press('ArrowUp')
  await expect(chat.getByRole('textbox', {name: 'Edit message'})).toHaveValue('one')
  await expect(chat.getByRole('textbox', {name: 'Edit message'})).toBeFocused()
})

test('a branch is a conversation of its own, with the messages up to there', async ({chat}) => {
  await asked(chat, 'one')
  await asked(chat, 'two')
  const id = await conversationId(chat)
  await chooseAction(answers(chat).nth(1), 'Branch from here')
  await expectMessages(chat, 'one', 'said: one')
  expect(await conversationId(chat)).not.toBe(id)
  await expect(conversations(chat).getByRole('link', {name: /^Branch · /})).toHaveAttribute('aria-current', 'page')
  await asked(chat, 'three')
  await expectMessages(chat, 'one', 'said: one', 'three', 'said: three')
  await chat.goBack()
  await expectMessages(chat, 'one', 'said: one', 'two', 'said: two')
})

for (const {name, theme, locale, width, height} of some([
  {name: 'dark on a desktop', theme: 'dark', locale: 'en', width: 1440, height: 900},
  {name: 'light on a phone', theme: 'light', locale: 'en', width: 390, height: 844},
  {name: 'Arabic on a phone', theme: 'light', locale: 'ar', width: 390, height: 844},
])) {
  test(`versions look right: ${name}`, long, async ({chat, context}, journey) => {
    await asked(chat, 'one')
    await lastMessage(chat).getByRole('button', {name: 'Answer again', exact: true}).click()
    await expect(pager(lastMessage(chat))).toContainText('2 / 2')
    await ended(chat)
    await context.addCookies(
      Object.entries({THEME: theme, LOCALE: locale}).map(([key, value]) => ({
        name: key,
        value,
        url: new URL(chat.url()).origin,
        sameSite: 'Lax' as const,
      })),
    )
    await chat.setViewportSize({width, height})
    await chat.reload()
    await composer(chat).waitFor()
    await expect(lastMessage(chat).getByRole('group')).toContainText('2 / 2')
    await expect(chat.locator('html')).toHaveAttribute('data-theme', theme)
    await expect(chat.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr')
    await lastMessage(chat).hover()
    await expect(lastMessage(chat).getByRole('group').locator('bdi')).toHaveCSS('direction', 'ltr')
    expect(await axeFaults(chat)).toEqual([])
    expect(await chat.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await chat.screenshot({path: journey.outputPath('versions.png')})
  })
}
