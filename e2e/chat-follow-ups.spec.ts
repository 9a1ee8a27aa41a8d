import type {Page} from '@playwright/test'
import {answers, ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {conversationId, ended, lastMessage, newChat} from './support/chat-page.ts'
import {lookAt} from './support/look-at.ts'
import {pixel} from './support/pixel.ts'
import {long, some} from './support/full-run.ts'
import {blankTab} from './support/signed-in.ts'

/* Questions that wait for their turn, above the message field. */

const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})
const item = (page: Page, question: string) => list(page).getByRole('group', {name: question})
const order = async (page: Page) =>
  (await list(page).getByRole('group').all()).reduce<Promise<(string | null)[]>>(
    async (before, each) => [...(await before), await each.getAttribute('aria-label')],
    Promise.resolve([]),
  )

test('questions asked while an answer runs wait, are moved, edited and removed, survive a reload, and go out once each in order', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer((prompt) => `${prompt} answered`)
  modelServer.hold(1)
  await ask(chat, 'First')
  await expect(lastMessage(chat)).toContainText('First')
  await conversationId(chat)
  for (const question of ['two', 'three', 'four', 'five']) await ask(chat, question)
  await expect(list(chat)).toContainText('Sent in this order, each after the answer before it.')
  await expect.poll(() => order(chat)).toEqual(['two', 'three', 'four', 'five'])

  await item(chat, 'three').getByRole('button', {name: 'Move up'}).click()
  await expect.poll(() => order(chat)).toEqual(['three', 'two', 'four', 'five'])
  // the focus stays with what is moved; the first can only go down
  await expect(item(chat, 'three').getByRole('button', {name: 'Move down'})).toBeFocused()
  await chat.keyboard.press('Alt+ArrowDown')
  await expect(list(chat).getByText('Now 2 of 4')).toBeAttached()
  await item(chat, 'five').getByRole('button', {name: 'Remove'}).click()
  await expect(item(chat, 'five')).toHaveCount(0)
  await list(chat).getByRole('button', {name: 'Undo'}).click()
  await item(chat, 'four').getByRole('button', {name: 'Remove'}).click()
  await list(chat).getByRole('button', {name: 'Dismiss'}).click()
  await item(chat, 'two').getByRole('button', {name: 'Edit'}).click()
  await expect(list(chat)).toContainText('On hold while you edit.')
  await list(chat).getByRole('textbox').fill('two, in other words')
  await list(chat).getByRole('button', {name: 'Save'}).click()
  const expected = ['two, in other words', 'three', 'five']
  await expect.poll(() => order(chat)).toEqual(expected)
  await chat.reload()
  await expect(list(chat)).toBeVisible()
  await expect.poll(() => order(chat)).toEqual(expected)

  modelServer.release()
  await expect(lastMessage(chat)).toContainText('five answered')
  await ended(chat)
  await expect(list(chat)).toHaveCount(0)
  expect(modelServer.prompts).toEqual(['First', ...expected])
  await expect(answers(chat)).toHaveCount(8)
})

test(
  'a question whose text is changed keeps its editor, with text and caret, while another tab moves it',
  long,
  async ({chat, context, installation, signedIn, modelServer}) => {
    modelServer.hold(1)
    await ask(chat, 'First')
    await conversationId(chat)
    for (const question of ['two', 'three', 'four']) await ask(chat, question)
    await expect.poll(() => order(chat)).toEqual(['two', 'three', 'four'])
    const other = await blankTab(context, installation.url, signedIn)
    await other.goto(chat.url())
    await expect.poll(() => order(other)).toEqual(['two', 'three', 'four'])

    await item(chat, 'two').getByRole('button', {name: 'Edit'}).click()
    const editor = list(chat).getByRole('textbox')
    await editor.fill('in other words')
    await editor.press('Home')
    await chat.keyboard.type('two, ')
    const editorAt = (at: number) => list(chat).getByRole('listitem').nth(at).getByRole('textbox')
    await item(other, 'two').getByRole('button', {name: 'Move down'}).click()
    await expect(editorAt(1)).toBeFocused()
    await item(other, 'four').getByRole('button', {name: 'Move up'}).click()
    await item(other, 'four').getByRole('button', {name: 'Move up'}).click()
    await expect(editorAt(2)).toBeFocused()
    await chat.keyboard.type('said ')
    await expect(editor).toHaveValue('two, said in other words')
    await list(chat).getByRole('button', {name: 'Save'}).click()
    for (const tab of [chat, other])
      await expect.poll(() => order(tab)).toEqual(['four', 'three', 'two, said in other words'])
  },
)

test('a stopped answer holds what waits until the user sends on, with its files', long, async ({chat, modelServer}) => {
  modelServer.answer((prompt) => `${prompt} answered`)
  modelServer.hold(1)
  await ask(chat, 'First')
  await expect(lastMessage(chat)).toContainText('First')
  await chat.locator('input[type=file]').setInputFiles({name: 'dot.png', mimeType: 'image/png', buffer: pixel})
  await expect(chat.getByText('Ready')).toBeVisible()
  await ask(chat, 'with a file')
  await ask(chat, 'later')
  await expect(item(chat, 'with a file')).toContainText('dot.png')
  await composer(chat).press('Escape')
  await expect(lastMessage(chat)).toContainText('Stopped.')
  await expect(list(chat)).toContainText('On hold: the last answer failed or was stopped.')
  await chat.reload()
  await expect(list(chat)).toContainText('On hold: the last answer failed or was stopped.')
  expect(modelServer.prompts).toEqual(['First'])

  modelServer.release()
  await item(chat, 'later').getByRole('button', {name: 'Send now'}).click()
  await expect(lastMessage(chat)).toContainText('with a file answered')
  await ended(chat)
  expect(modelServer.prompts.map((prompt) => prompt.trim())).toEqual(['First', 'later', 'with a file'])
  expect(JSON.stringify(modelServer.calls.at(-1)?.messages)).toContain('data:image/png;base64,')
})

test('a failed answer holds them too, and the next answer lets them go', long, async ({chat, modelServer}) => {
  modelServer.answer('fine')
  modelServer.hold(1)
  await ask(chat, 'First')
  await expect(lastMessage(chat)).toContainText('fine')
  await ask(chat, 'second')
  modelServer.refuseHeld({message: 'No.'})
  await expect(list(chat)).toContainText('On hold: the last answer failed or was stopped.')
  modelServer.release()
  await lastMessage(chat).getByRole('button', {name: 'Retry'}).click()
  await expect.poll(() => modelServer.prompts).toEqual(['First', 'First', 'second'])
  await ended(chat)
})

test('what is asked without a network goes out with it, once each and in the order that was chosen', async ({
  wired: {page, cable},
  context,
  modelServer,
}) => {
  modelServer.answer((prompt) => `${prompt} answered`)
  await ask(page, 'Zero')
  await expect(lastMessage(page)).toContainText('Zero answered')
  await ended(page)
  await context.setOffline(true)
  cable.cut()
  for (const question of ['one', 'two', 'three']) await ask(page, question)
  await expect.poll(() => order(page)).toEqual(['two', 'three'])
  await item(page, 'three').getByRole('button', {name: 'Move up'}).click()
  await expect.poll(() => order(page)).toEqual(['three', 'two'])
  cable.mend()
  await context.setOffline(false)
  await expect(lastMessage(page)).toContainText('two answered')
  await ended(page)
  expect(modelServer.prompts).toEqual(['Zero', 'one', 'three', 'two'])
})

test('two tabs show the same list, and each question goes out once', long, async ({chat, context, modelServer}) => {
  modelServer.answer((prompt) => `${prompt} answered`)
  modelServer.hold(1)
  await ask(chat, 'First')
  await expect(lastMessage(chat)).toContainText('First')
  const id = await conversationId(chat)
  await ask(chat, 'two')
  const other = await context.newPage()
  await other.goto(new URL(`/chatgpt/conversations/${id}`, chat.url()).href)
  await expect(lastMessage(other)).toContainText('First')
  // what this tab has not read of the device yet reaches it with the next change
  await ask(chat, 'three')
  await expect.poll(() => order(other)).toEqual(['two', 'three'])
  await item(other, 'three').getByRole('button', {name: 'Move up'}).click()
  await expect.poll(() => order(chat)).toEqual(['three', 'two'])
  modelServer.release()
  for (const tab of [chat, other]) {
    await expect(lastMessage(tab)).toContainText('two answered')
    await ended(tab)
    await expect(list(tab)).toHaveCount(0)
  }
  expect(modelServer.prompts).toEqual(['First', 'three', 'two'])
})

test(
  'a question that is edited when its conversation is left keeps what was typed and is sent',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer((prompt) => `${prompt} answered`)
    modelServer.hold(1)
    await ask(chat, 'First')
    await expect(lastMessage(chat)).toContainText('First')
    const address = await conversationId(chat).then(() => chat.url())
    await ask(chat, 'two')
    await ask(chat, 'three')
    await item(chat, 'two').getByRole('button', {name: 'Edit'}).click()
    await list(chat).getByRole('textbox').fill('two, typed')
    await newChat(chat)
    await expect(list(chat)).toHaveCount(0)
    modelServer.release()
    await expect.poll(() => modelServer.prompts).toEqual(['First', 'two, typed', 'three'])
    await chat.goto(address)
    await expect(lastMessage(chat)).toContainText('three answered')
  },
)

test(
  'a question that is edited when its page is loaded again keeps what was typed, also out of sight',
  long,
  async ({chat, modelServer}) => {
    modelServer.hold(1)
    await ask(chat, 'First')
    await conversationId(chat)
    await ask(chat, 'two')
    await item(chat, 'two').getByRole('button', {name: 'Edit'}).click()
    await list(chat).getByRole('textbox').fill('two, typed')
    await chat.reload()
    await expect.poll(() => order(chat)).toEqual(['two, typed'])

    await item(chat, 'two, typed').getByRole('button', {name: 'Edit'}).click()
    // a tab that lies behind another one says nothing more of that when it is closed
    await chat.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', {value: 'hidden'})
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await list(chat).getByRole('textbox').fill('two, typed again')
    await chat.reload()
    await expect.poll(() => order(chat)).toEqual(['two, typed again'])
  },
)

test('what was typed into a waiting question is there after its page was hidden and ended without a word', async ({
  chat,
  context,
  modelServer,
}) => {
  modelServer.answer((prompt) => `${prompt} answered`)
  modelServer.hold(1)
  await ask(chat, 'First')
  await conversationId(chat)
  await ask(chat, 'two')
  await item(chat, 'two').getByRole('button', {name: 'Edit'}).click()
  const editor = list(chat).getByRole('textbox')
  await editor.fill('two, typed')
  await lookAt(chat, false)
  const other = await context.newPage()
  await other.goto(chat.url())
  await expect.poll(() => order(other)).toEqual(['two, typed'])
  // the editor goes on; cancelled, it leaves the question as it was
  await lookAt(chat, true)
  await expect(editor).toHaveValue('two, typed')
  await list(chat).getByRole('button', {name: 'Cancel'}).click()
  for (const page of [chat, other]) await expect.poll(() => order(page)).toEqual(['two'])

  await item(chat, 'two').getByRole('button', {name: 'Edit'}).click()
  await editor.fill('two, typed again')
  await lookAt(chat, false)
  await expect.poll(() => order(other)).toEqual(['two, typed again'])
  const session = await context.newCDPSession(chat)
  const crash = chat.waitForEvent('crash')
  session.send('Page.crash').catch(() => undefined)
  await crash
  await other.reload()
  await expect.poll(() => order(other)).toEqual(['two, typed again'])
  modelServer.release()
  await expect(lastMessage(other)).toContainText('two, typed again answered')
  expect(modelServer.prompts).toEqual(['First', 'two, typed again'])
})

test('the files of a waiting question are in its editor, and the one that is taken out is not sent', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer((prompt) => `${prompt} answered`)
  modelServer.hold(1)
  await ask(chat, 'First')
  await conversationId(chat)
  const names = ['harbour.png', 'market.png']
  await chat
    .locator('input[type=file]')
    .setInputFiles(names.map((name) => ({name, mimeType: 'image/png', buffer: pixel})))
  for (const name of names) await expect(chat.getByRole('button', {name: `Remove ${name}`})).toBeVisible()
  await expect(chat.locator('[data-composer]').getByText(/Uploading/)).toHaveCount(0)
  await ask(chat, 'two')
  await expect(item(chat, 'two').getByText('harbour.png')).toBeAttached()
  const edit = () => item(chat, 'two').getByRole('button', {name: 'Edit'}).click()
  const remove = (name: string) => list(chat).getByRole('button', {name: `Remove ${name}`})
  await edit()
  await remove('harbour.png').click()
  await expect(remove('harbour.png')).toHaveCount(0)
  await expect(list(chat).getByRole('textbox')).toBeFocused()
  await list(chat).getByRole('button', {name: 'Cancel'}).click()
  await expect(item(chat, 'two').getByText('harbour.png')).toBeAttached()
  await edit()
  await remove('harbour.png').click()
  await list(chat).getByRole('button', {name: 'Save'}).click()
  await expect(item(chat, 'two').getByText('market.png')).toBeAttached()
  await expect(item(chat, 'two').getByText('harbour.png')).toHaveCount(0)
  await chat.reload()
  await expect(item(chat, 'two').getByText('market.png')).toBeAttached()
  await expect(item(chat, 'two').getByText('harbour.png')).toHaveCount(0)
  modelServer.release()
  await expect(lastMessage(chat)).toContainText('two answered')
  await ended(chat)
  expect(JSON.stringify(modelServer.calls.at(-1)?.messages).match(/data:image\/png;base64,/g)).toHaveLength(1)
})

test(
  'a question that is edited in one tab is sent by none, and then with its new text',
  long,
  async ({chat, context, modelServer}) => {
    modelServer.answer((prompt) => `${prompt} answered`)
    modelServer.hold(1)
    await ask(chat, 'First')
    await expect(lastMessage(chat)).toContainText('First')
    const id = await conversationId(chat)
    const other = await context.newPage()
    await other.goto(new URL(`/chatgpt/conversations/${id}`, chat.url()).href)
    await expect(lastMessage(other)).toContainText('First')
    await ask(chat, 'two')
    await item(other, 'two').getByRole('button', {name: 'Edit'}).click()
    const editor = list(other).getByRole('textbox')
    await editor.fill('deux')
    modelServer.release()
    for (const tab of [chat, other]) await ended(tab)
    await expect(lastMessage(chat)).toContainText('First answered')
    await editor.press('Enter')
    for (const tab of [chat, other]) await expect(lastMessage(tab)).toContainText('deux answered')
    await ended(chat)
    expect(modelServer.prompts).toEqual(['First', 'deux'])
  },
)

for (const {name, viewport, colorScheme, locale, region} of some([
  {
    name: 'desktop, dark',
    viewport: {width: 1440, height: 900},
    colorScheme: 'dark',
    locale: 'en',
    region: 'Next questions',
  },
  {
    name: 'phone, light, Arabic',
    viewport: {width: 390, height: 844},
    colorScheme: 'light',
    locale: 'ar',
    region: 'الأسئلة التالية',
  },
] as const))
  test.describe(name, () => {
    test.use({viewport, colorScheme, locale})
    test('the list has no fault that axe finds and does not widen the page', async ({chat, modelServer}) => {
      modelServer.hold(1)
      await ask(chat, 'First')
      await expect(lastMessage(chat)).toContainText('You')
      await ask(chat, 'A second question that is long enough to need more than one line on a narrow screen, as they do')
      await ask(chat, 'three')
      const waiting = chat.getByRole('region', {name: region})
      await expect(waiting.getByRole('group')).toHaveCount(2)
      expect(await axeFaults(chat)).toEqual([])
      expect(await chat.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      modelServer.release()
    })
  })
