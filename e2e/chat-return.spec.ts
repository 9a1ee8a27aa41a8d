import {realpathSync} from 'node:fs'
import {join} from 'node:path'
import type {Page} from '@playwright/test'
import pg from 'pg'
import {answers, ask, expect, test} from './fixtures.ts'
import {alert, conversationId, lastMessage, newChat, storedAnswer} from './support/chat-page.ts'
import {demanding} from './support/texts.ts'
import {long} from './support/full-run.ts'
import {secondTab} from './support/signed-in.ts'

/** The whole answer is on the page and on the server, byte for byte what the provider wrote, and only once. */
async function expectWhole(page: Page): Promise<void> {
  await expect(lastMessage(page)).toContainText('The last words of it.')
  await expect(page.getByRole('button', {name: 'Stop'})).toHaveCount(0)
  await expect(answers(page)).toHaveCount(2)
  await expect(lastMessage(page).getByRole('heading', {name: 'Title'})).toHaveCount(1)
  expect(await storedAnswer(page, await conversationId(page))).toMatchObject({content: demanding, state: 'finished'})
}

/** The text of the answer, without what stands around it. */
const shownText = async (page: Page): Promise<string | undefined> =>
  (await lastMessage(page).locator('p').first().textContent())?.trim()

test.beforeEach(async ({chat, modelServer}) => {
  modelServer.answer(demanding)
  modelServer.hold(4)
  await ask(chat, 'Everything')
  await expect(lastMessage(chat)).toContainText('Tea is')
  await conversationId(chat)
})

test('a reload in mid-answer goes on where it was', async ({chat, modelServer}) => {
  await chat.reload()
  await expect(lastMessage(chat)).toContainText('Tea is')
  await expect(chat.getByRole('button', {name: 'Stop'})).toBeVisible()
  modelServer.release()
  await expectWhole(chat)
})

test('an answer goes on while nobody listens: closed tab, another tab later', long, async ({chat, modelServer}) => {
  const address = chat.url()
  await chat.close()
  modelServer.release()
  const other = await secondTab(chat, address)
  await expectWhole(other)
})

test('another tab joins an answer in the middle', long, async ({chat, modelServer}) => {
  const other = await secondTab(chat)
  await expect(lastMessage(other)).toContainText('Tea is')
  modelServer.release()
  await expectWhole(other)
  await expectWhole(chat)
})

test(
  'requests that are cut off while the browser thinks it is online are tried again',
  long,
  async ({chat, modelServer}) => {
    let refusals = 2
    await chat.route('**/aichat/conversations', async (route) => {
      if (refusals-- > 0) await route.abort('connectionreset')
      else await route.continue()
    })
    await chat.reload()
    modelServer.release()
    await expectWhole(chat)
    expect(refusals).toBeLessThan(0)
  },
)

test('kill -9 of the server: the text that had come is kept, the message is interrupted, Retry works', async ({
  chat,
  installation,
  modelServer,
}) => {
  test.setTimeout(180_000)
  // what was sent is stored at most 100 ms later (docs/architecture.md): only that can outlive the server
  const id = await conversationId(chat)
  await expect.poll(async () => String((await storedAnswer(chat, id)).content)).toContain('Tea')
  await installation.kill()
  await installation.restart()
  modelServer.release()
  await chat.reload()
  await expect(alert(chat)).toContainText('The connection was lost before the answer was complete.', {timeout: 60_000})
  await expect(lastMessage(chat)).toContainText('Tea')
  const stored = await storedAnswer(chat, await conversationId(chat))
  expect(stored).toMatchObject({state: 'failed', outcome: 'interrupted'})
  expect(demanding.startsWith(String(stored.content))).toBe(true)
  await lastMessage(chat).getByRole('button', {name: 'Retry'}).click()
  await expectWhole(chat)
})

test(
  'kill -9 with words that were shown and not stored: the page and another device have what the server kept',
  long,
  async ({signedIn, browser, chat, installation, modelServer}) => {
    test.setTimeout(180_000)
    modelServer.reset()
    modelServer.answer('kept words, and words that were only shown')
    modelServer.hold(2, 8)
    await newChat(chat)
    await ask(chat, 'Anything')
    await expect(lastMessage(chat)).toContainText('kept words')
    const id = await conversationId(chat)
    await expect.poll(async () => (await storedAnswer(chat, id)).content).toBe('kept words,')

    // who holds the row keeps the server from storing more
    const client = new pg.Client({
      host: realpathSync(join(installation.dataDir, 'postgres')),
      user: 'postgres',
      database: 'atrium',
    })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('begin')
    await client.query('select id from answers where conversation_id = $1 for update', [id])
    modelServer.proceed()
    await expect(lastMessage(chat)).toContainText('that were only shown')
    // without a network the page waits for it, however long the server takes; with one it looks five times
    await chat.context().setOffline(true)
    await installation.kill()
    await client.end().catch(() => undefined)
    await installation.restart()
    await chat.context().setOffline(false)

    await expect(alert(chat)).toContainText('The connection was lost before the answer was complete.', {
      timeout: 90_000,
    })
    await expect(lastMessage(chat)).not.toContainText('only shown')
    const stored = await storedAnswer(chat, id)
    expect(stored).toMatchObject({content: 'kept words,', state: 'failed', outcome: 'interrupted'})
    expect(await shownText(chat)).toBe('kept words,')

    const device = await browser.newContext({locale: 'en-US'})
    const other = await device.newPage()
    await other.goto(`${installation.url}/robots.txt`)
    await other.evaluate((kept) => localStorage.setItem('vuex', kept), signedIn.state)
    await other.goto(chat.url())
    await expect(alert(other)).toContainText('The connection was lost before the answer was complete.')
    expect(await shownText(other)).toBe('kept words,')
    await device.close()
  },
)
