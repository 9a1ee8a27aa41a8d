import {readFileSync} from 'node:fs'
import type {Page} from '@playwright/test'
import {expect, test} from './fixtures.ts'
import {ask, lastMessage} from './support/chat-page.ts'

/* What can be taken out of an answer: its Markdown, its text, its tables, its code. */

const answer = `## Prices

| Fruit | Price |
|---|--:|
| **Apple** | -1.50 |
| =1+1 | 2 |

\`\`\`ts src/prices.ts
export const apple = 1.5
\`\`\``

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

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
  await message.getByRole('button', {name: 'Copy as text'}).click()
  await expect
    .poll(() => clipboard(chat))
    .toBe('Prices\n\nFruit\tPrice\nApple\t-1.50\n=1+1\t2\n\nexport const apple = 1.5')
  await message.getByRole('table').hover()
  await message.getByRole('button', {name: 'Copy as CSV'}).click()
  await expect.poll(() => clipboard(chat)).toBe(`Fruit,Price\r\nApple,-1.50\r\n"'=1+1",2\r\n`)
  await message.getByRole('figure').hover()
  const download = chat.waitForEvent('download')
  await message.getByRole('button', {name: 'Save as a file'}).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('prices.ts')
  expect(readFileSync(await file.path(), 'utf8').trim()).toBe('export const apple = 1.5')
})
