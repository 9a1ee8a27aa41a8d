import {ask, composer, expect, test} from './fixtures.ts'
import {ended, lastMessage, newChat, row} from './support/chat-page.ts'
import {blankTab} from './support/signed-in.ts'

test('drafts of two tabs do not replace each other, and what one sends goes from the other', async ({
  chat,
  context,
  installation,
  signedIn,
  modelServer,
}) => {
  modelServer.answer('first')
  await ask(chat, 'Start')
  await expect(lastMessage(chat)).toContainText('first')
  await ended(chat)
  await composer(chat).fill('a follow-up')
  await chat.reload()
  await expect(composer(chat)).toHaveValue('a follow-up')
  const other = await blankTab(context, installation.url, signedIn)
  await other.goto(chat.url())
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
