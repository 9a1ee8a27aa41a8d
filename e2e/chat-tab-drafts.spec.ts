import type {Page} from '@playwright/test'
import {ask, composer, expect, test} from './fixtures.ts'
import {ended, lastMessage, newChat, row, stopAnswer} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {secondTab} from './support/signed-in.ts'

test('drafts of two tabs do not replace each other, and what one sends goes from the other', async ({
  chat,
  installation,
  modelServer,
}) => {
  modelServer.answer('first')
  await ask(chat, 'Start')
  await expect(lastMessage(chat)).toContainText('first')
  await ended(chat)
  await composer(chat).fill('a follow-up')
  await chat.reload()
  await expect(composer(chat)).toHaveValue('a follow-up')
  const other = await secondTab(chat)
  await expect(composer(other)).toHaveValue('a follow-up')

  modelServer.answer('second')
  await composer(other).press('Enter')
  await expect(lastMessage(other)).toContainText('second')
  await ended(other)
  await expect(composer(chat)).toHaveValue('')

  await newChat(other)
  await composer(other).fill('typed in the other tab')
  await composer(chat).fill('typed in this tab')
  await chat.reload()
  await expect(composer(chat)).toHaveValue('typed in this tab')
  await other.reload()
  await expect(composer(other)).toHaveValue('typed in the other tab')
  await row(other, 'Start').getByRole('link').click()
  await expect(composer(other)).toHaveValue('typed in this tab')

  // of two texts for one chat the one that waits shows in the field that is free
  await composer(other).fill('typed there as well')
  await expect(composer(chat)).toHaveValue('typed there as well')
  await composer(chat).fill('typed here as well')
  await chat.goto('about:blank')
  await other.goto('about:blank')
  await chat.goto(installation.url)
  await row(chat, 'Start').getByRole('link').click()
  await expect(composer(chat)).toHaveValue('typed there as well')
  await composer(chat).fill('')
  await newChat(chat)
  await row(chat, 'Start').getByRole('link').click()
  await expect(composer(chat)).toHaveValue('typed here as well')
})

/** From now on the keys of this page come after those of the server, in the order in which the browser stores them. */
const sortKeysLast = (page: Page) =>
  page.addInitScript(() => {
    const random = crypto.randomUUID.bind(crypto)
    crypto.randomUUID = () => random().replace(/^.{8}/, 'ffffffff') as ReturnType<typeof random>
  })

test(
  'what is typed and what waits in a conversation that another tab came to know by its server is kept over a reload',
  long,
  async ({chat, modelServer}) => {
    const other = await secondTab(chat, '/chatgpt/conversations')
    await sortKeysLast(chat)
    await chat.reload()
    await expect(composer(chat)).toBeEnabled()
    modelServer.hold(1)
    await ask(chat, 'Start')
    await expect(lastMessage(chat)).toContainText('You')
    await ask(chat, 'two')
    await stopAnswer(chat, () => composer(chat).press('Escape'))
    await ended(chat)
    await row(other, 'Start').getByRole('link').click()
    await expect(lastMessage(other)).toContainText('Stopped')
    await composer(chat).fill('a follow-up')
    await chat.reload()
    await expect(composer(chat)).toHaveValue('a follow-up')
    await expect(chat.getByRole('region', {name: 'Next questions'})).toContainText('two')

    // what is typed where the conversation has the server's name is there under the page's too, until it is sent
    await composer(chat).fill('')
    await composer(other).fill('typed in the other tab')
    await other.reload()
    await expect(composer(other)).toHaveValue('typed in the other tab')
    await expect(other.getByRole('region', {name: 'Next questions'})).toContainText('two')
    await newChat(chat)
    await row(chat, 'Start').getByRole('link').click()
    await expect(composer(chat)).toHaveValue('typed in the other tab')
    modelServer.release()
    await composer(other).press('Enter')
    await expect(composer(chat)).toHaveValue('')
  },
)
