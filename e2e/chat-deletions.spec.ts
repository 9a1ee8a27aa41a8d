import {readFile} from 'node:fs/promises'
import type {Request} from '@playwright/test'
import {answers, composer, expect, test} from './fixtures.ts'
import {chooseAction, conversationId, conversations, lastMessage, newChat, row} from './support/chat-page.ts'
import {inDatabase} from './support/in-database.ts'
import {goOn, HeldRoute, refuseWith} from './support/held-route.ts'
import {long} from './support/full-run.ts'
import {holdDelays} from './support/held-delays.ts'
import {askAndRead} from './support/message-versions.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {secondTab} from './support/signed-in.ts'

/* A deleted message is given to nobody, although it can still be taken back. */

const isDeletion = (request: Request) => request.postData()?.includes('"action":"delete"') === true
const isRemoval = (request: Request) => request.postData()?.includes('"remove"') === true

test('a message deleted a moment ago is in no branch, behind no link and in no file', async ({chat, browser}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  const id = await conversationId(chat)
  await chooseAction(answers(chat).nth(1), 'Delete')
  await chooseAction(lastMessage(chat), 'Branch from here')
  await expect(chat).not.toHaveURL(new RegExp(id))
  await expect(answers(chat)).toHaveText([/one/, /two/, /said: two/])

  await chooseAction(answers(chat).nth(0), 'Delete')
  await chat.getByRole('banner').getByRole('button', {name: 'Share…'}).click()
  const dialog = chat.getByRole('dialog')
  const removals = await HeldRoute.on(chat, /aichat\/conversations$/, isRemoval)
  const make = dialog.getByRole('button', {name: 'Make link'})
  await make.click()
  await expect.poll(() => removals.held).toBeGreaterThan(0)
  await removals.let(refuseWith(409, 'duplication'))
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByRole('link', {name: 'Open'})).toHaveCount(0)
  removals.hold()
  await make.click()
  await removals.let(goOn)
  const address = (await dialog.getByRole('link', {name: 'Open'}).getAttribute('href')) ?? ''
  const stranger = await browser.newContext()
  const reader = await stranger.newPage()
  await reader.goto(address)
  await expect(reader.getByRole('article')).toHaveText([/two/, /said: two/])
  await stranger.close()
  await chat.keyboard.press('Escape')

  await chooseAction(lastMessage(chat), 'Delete')
  const branch = row(chat, /^Branch · /)
  await branch.hover()
  await branch.getByRole('button', {name: /^Actions for/}).click()
  await chat.getByRole('menuitem', {name: 'Export…'}).click()
  await dialog.getByRole('radio', {name: 'JSON'}).check()
  const download = chat.waitForEvent('download')
  await dialog.getByRole('button', {name: 'Export', exact: true}).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('two')
  expect(text).not.toContain('said')
})

test(
  'a changed text that did not go out after its conversation was left is offered there again',
  long,
  async ({chat}) => {
    await askAndRead(chat, 'one')
    const removals = await HeldRoute.on(chat, /aichat\/conversations$/, isRemoval)
    await chooseAction(lastMessage(chat), 'Delete')
    const editor = chat.getByRole('textbox', {name: 'Edit message'})
    await answers(chat).first().hover()
    await answers(chat).first().getByRole('button', {name: 'Edit'}).click()
    await editor.fill('a long new text')
    await chat.getByRole('button', {name: 'Save & ask again', exact: true}).click()
    await expect.poll(() => removals.held).toBeGreaterThan(0)
    await newChat(chat)
    await removals.let(refuseWith(400, 'bad_request'))
    await expect(chat.getByText("Couldn't ask the question again.")).toBeVisible()
    await row(chat, 'one').getByRole('link').click()
    await expect(editor).toHaveValue('a long new text')
    await expect(answers(chat)).toHaveCount(2)
  },
)

test('a tab that is opened meanwhile does not end the undo of a deleted conversation', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  // the second tab may take longer than the undo is offered
  await holdDelays(chat)
  await chat.reload()
  const deletions: string[] = []
  chat.context().on('request', (request) => {
    if (isDeletion(request)) deletions.push(request.url())
  })
  await row(chat, 'one').getByRole('link').press('Delete')
  await chat.getByRole('button', {name: 'Delete', exact: true}).click()
  await expect(row(chat, 'one')).toHaveCount(0)
  const other = await secondTab(chat, '/chatgpt/conversations')
  await expect(row(other, 'one')).toBeVisible()
  await chat.getByRole('button', {name: 'Undo'}).click()
  await expect(row(chat, 'one')).toBeVisible()
  await chat.reload()
  await expect(row(chat, 'one')).toBeVisible()
  expect(deletions).toEqual([])
  await row(chat, 'one').getByRole('link').press('Delete')
  await chat.getByRole('button', {name: 'Delete', exact: true}).click()
  await chat.reload()
  await expect(row(chat, 'one')).toHaveCount(0)
  await expect(row(other, 'one')).toHaveCount(0)
})

test('what a tab deleted that closes is gone in the others', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  const other = await secondTab(chat, '/chatgpt/conversations')
  await row(other, 'one').getByRole('link').press('Delete')
  await conversations(other).getByRole('button', {name: 'Delete', exact: true}).click()
  await expect(row(other, 'one')).toHaveCount(0)
  await expect(row(chat, 'one')).toBeVisible()
  await other.goto('about:blank')
  await expect(row(chat, 'one')).toHaveCount(0)
  await chat.reload()
  await expect(composer(chat)).toBeEnabled()
  await expect(row(chat, 'one')).toHaveCount(0)
})

test(
  'a conversation whose deletion is on its way stays away through a reload',
  long,
  async ({chat, installation, signedIn}) => {
    await seedConversations(installation, signedIn, [{title: 'Other', texts: ['foo', 'bar']}])
    await askAndRead(chat, 'one')
    const id = await conversationId(chat)
    await chat.goto(`${installation.url}/chatgpt/conversations`)
    await inDatabase(installation, async (client) => {
      await client.query('begin')
      await client.query('select from conversations where id = $1 for update', [id])
      const sent = chat.waitForRequest(isDeletion)
      await row(chat, 'one').getByRole('link').press('Delete')
      await chat.getByRole('button', {name: 'Delete', exact: true}).click()
      await sent
      const read = chat.waitForResponse(
        async (response) => response.url().endsWith('/conversations') && (await response.text()).includes(id),
      )
      const again = chat.waitForRequest(isDeletion)
      await chat.reload()
      await read
      await expect(row(chat, 'Other')).toBeVisible()
      const deletion = await again
      await expect(row(chat, 'one')).toHaveCount(0)
      await client.query('commit')
      await deletion.response()
    })
    await chat.reload()
    await expect(composer(chat)).toBeEnabled()
    await expect(row(chat, 'one')).toHaveCount(0)
  },
)

test('a message whose deletion is on its way stays away through a reload', long, async ({chat, installation}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  const id = await conversationId(chat)
  await inDatabase(installation, async (client) => {
    await client.query('begin')
    await client.query('select from conversations where id = $1 for update', [id])
    const sent = chat.waitForRequest(isRemoval)
    await chooseAction(lastMessage(chat), 'Delete')
    await sent
    const again = chat.waitForRequest(isRemoval)
    await chat.reload()
    const removal = await again
    await expect(chat.getByText('said: one')).toBeVisible()
    await expect(chat.getByText('said: two')).toHaveCount(0)
    await client.query('commit')
    await removal.response()
  })
  await chat.reload()
  await expect(chat.getByText('said: one')).toBeVisible()
  await expect(chat.getByText('said: two')).toHaveCount(0)
})

test('what was typed for a conversation that another tab deletes waits in a new chat', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  const other = await secondTab(chat)
  await expect(lastMessage(other)).toContainText('said: one')
  await composer(chat).fill('half a thought')
  await row(other, 'one').getByRole('link').press('Delete')
  await conversations(other).getByRole('button', {name: 'Delete', exact: true}).click()
  await expect(row(other, 'one')).toHaveCount(0)

  await expect(chat.getByRole('heading', {name: 'Conversation not found'})).toBeAttached()
  await chat.getByRole('main').getByRole('link', {name: 'New chat'}).click()
  await expect(composer(chat)).toHaveValue('half a thought')
})
