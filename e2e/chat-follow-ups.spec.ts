import sharp from 'sharp'
import {answers, ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {ended, lastMessage} from './support/chat-page.ts'
import {pixel} from './support/pixel.ts'
import {long, some} from './support/full-run.ts'
import {holdDelays} from './support/held-delays.ts'
import {reopenIn} from './support/page-looks.ts'
import {secondTab} from './support/signed-in.ts'
import {askWhileHeld, item, list, order} from './support/waiting-questions.ts'

/* Questions that wait for their turn, above the message field. */

test('questions asked while an answer runs wait, are moved, edited and removed, survive a reload, and go out once each in order', async ({
  chat,
  modelServer,
}) => {
  await askWhileHeld(chat, modelServer, 'two', 'three', 'four', 'five')
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

test('a long question of the other direction ends with the mark of what is cut', long, async ({chat, modelServer}) => {
  await reopenIn(chat, {theme: 'light', locale: 'ar'})
  modelServer.hold(1)
  await ask(chat, 'First')
  await expect(lastMessage(chat)).toContainText('You')
  await ask(chat, 'How do I debounce it without losing the last value, and why? '.repeat(9).trim())
  const question = chat.getByRole('group', {name: /^How do I debounce/}).getByText('How do I')
  const lines = await question.evaluate((text) => {
    const range = document.createRange()
    range.selectNodeContents(text)
    // where a line ends that has no mark after it
    const [first] = range.getClientRects()
    const {bottom} = text.getBoundingClientRect()
    return {right: first?.right ?? 0, bottom}
  })
  // a dot of three, on the line of the letters, is two pixels wide at its most
  const clip = {x: Math.ceil(lines.right) + 1, y: lines.bottom - 10, width: 8, height: 8}
  const {channels} = await sharp(await chat.screenshot({clip})).stats()
  expect(Math.max(...channels.map(({min, max}) => max - min))).toBeGreaterThan(40)
  modelServer.release()
})

test(
  'a question that its tab has not stored yet waits in a tab that opens in this moment',
  long,
  async ({chat, modelServer}) => {
    // of what is written to the database
    await holdDelays(chat, [250])
    await chat.reload()
    await askWhileHeld(chat, modelServer, 'two')
    const other = await secondTab(chat)
    await expect.poll(() => order(other)).toEqual(['two'])
  },
)

test(
  'a question whose text is changed keeps its editor, with text and caret, while another tab moves it',
  long,
  async ({chat, modelServer}) => {
    await askWhileHeld(chat, modelServer, 'two', 'three', 'four')
    await expect.poll(() => order(chat)).toEqual(['two', 'three', 'four'])
    const other = await secondTab(chat)
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

test('two tabs show the same list, and each question goes out once', long, async ({chat, modelServer}) => {
  await askWhileHeld(chat, modelServer, 'two')
  const other = await secondTab(chat)
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
