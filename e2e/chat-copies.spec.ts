import {readFileSync} from 'node:fs'
import {expect, test} from './fixtures.ts'
import {ask, chooseAction, ended, lastMessage, moreActions, newChat, thread} from './support/chat-page.ts'
import {clipboard} from './support/clipboard.ts'
import {long} from './support/full-run.ts'
import {keepSpeech} from './support/kept-speech.ts'

/* A user copies parts of an answer: its Markdown, its text, its tables, its code, its sound. */

const answer = `## Prices

| Fruit | Price |
|---|--:|
| **Apple** | -1.50 |
| =1+1 | 2<br>m<sup>2</sup> |

\`\`\`ts src/prices.ts
export const apple = 1.5
\`\`\``

test('an answer is copied as Markdown and as text, its table as CSV, its code as a file', async ({
  chat,
  context,
  modelServer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  modelServer.answer(answer)
  await ask(chat, 'Prices?')
  const message = lastMessage(chat)
  await message.getByRole('button', {name: 'Copy as Markdown'}).click()
  await expect.poll(() => clipboard(chat)).toBe(answer)
  await chooseAction(message, 'Copy as text')
  await expect
    .poll(() => clipboard(chat))
    .toBe('Prices\n\nFruit\tPrice\nApple\t-1.50\n=1+1\t2\nm2\n\nexport const apple = 1.5')
  await message.getByRole('table').hover()
  await message.getByRole('button', {name: 'Copy as CSV'}).click()
  await expect.poll(() => clipboard(chat)).toBe(`Fruit,Price\r\nApple,-1.50\r\n"'=1+1","2\nm2"\r\n`)
  await message.getByRole('figure').hover()
  const download = chat.waitForEvent('download')
  await message.getByRole('button', {name: 'Save as a file'}).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('prices.ts')
  expect(readFileSync(await file.path(), 'utf8').trim()).toBe('export const apple = 1.5')
})

test('what is selected over messages is copied without the words of their tools', async ({
  chat,
  context,
  modelServer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  modelServer.answer(`<think>A thought.</think>\n\nBefore.\n\n\`\`\`ts\nconst apple = 1\n\`\`\`\n\nAfter.`)
  await ask(chat, 'Code?')
  await ended(chat)
  await thread(chat).evaluate((element) => document.getSelection()?.selectAllChildren(element))
  await chat.keyboard.press('ControlOrMeta+C')
  const words = async () => (await clipboard(chat)).split(/\n+/).filter((line) => line !== '')
  await expect.poll(words).toEqual(['You said', 'Code?', 'Answer', 'Before.', 'const apple = 1', 'After.'])
})

test(
  'tools of tables and code are reached by keys, say their names, and keep the focus when they were used',
  long,
  async ({chat, context, modelServer}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    modelServer.answer(answer)
    await ask(chat, 'Prices?')
    await ended(chat)
    const message = lastMessage(chat)
    const table = message.getByRole('button', {name: 'Copy as CSV'})
    const code = message.getByRole('figure')
    await code.getByRole('button', {name: 'Wrap'}).focus()
    await chat.keyboard.press('Shift+Tab')
    await expect(table).toBeFocused()
    await expect(chat.getByText('Copy as CSV')).toBeVisible()
    // it is said for a moment
    const said = message.getByRole('status').filter({hasText: 'Copied'})
    await Promise.all([said.waitFor({state: 'attached'}), chat.keyboard.press('Enter')])
    await expect.poll(() => clipboard(chat)).toContain('Apple,-1.50')
    await expect(table).toBeFocused()
    await chat.keyboard.press('Tab')
    await expect(code.getByRole('button', {name: 'Wrap'})).toBeFocused()
    await chat.keyboard.press('Tab')
    await expect(chat.getByText('Save as a file')).toBeVisible()
    await chat.keyboard.press('Tab')
    await expect(chat.getByText('Save as a file')).toBeHidden()
    await chat.keyboard.press('Enter')
    await expect.poll(async () => (await clipboard(chat)).trim()).toBe('export const apple = 1.5')
    await message.getByRole('table').hover()
    await table.hover()
    await expect(chat.getByText('Copy as CSV')).toBeVisible()
  },
)

test(
  'an answer is read aloud in pieces, stopped, and silent when the conversation is left',
  long,
  async ({chat, modelServer}) => {
    await keepSpeech(chat)
    await chat.reload()
    modelServer.answer('**Guten** Tag.')
    await ask(chat, 'Hello?')
    const message = lastMessage(chat)
    const read = () => chat.evaluate(() => window.speechRead)
    const stop = message.getByRole('button', {name: 'Stop reading'})
    await chooseAction(message, 'Read aloud')
    await expect.poll(read).toEqual(['en: Guten Tag.'])
    await stop.click()
    await expect(moreActions(message)).toBeFocused()
    await expect(stop).toHaveCount(0)
    await chooseAction(message, 'Read aloud')
    await expect.poll(read).toHaveLength(2)
    await chat.evaluate(() => window.speechEnds())
    await expect(stop).toHaveCount(0)
    await chooseAction(message, 'Read aloud')
    await expect(stop).toBeVisible()
    await newChat(chat)
    await chat.goBack()
    await expect(moreActions(message)).toBeVisible()
    await expect(stop).toHaveCount(0)

    modelServer.answer('Добрый день.')
    await ask(chat, 'And in Russian?')
    await ended(chat)
    await chooseAction(message, 'Read aloud')
    await expect(message.getByText('This browser has no voice for it.')).toBeVisible()
    expect(await read()).toHaveLength(3)
  },
)
