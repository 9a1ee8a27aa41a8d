import {ask, answers, composer, expect, test} from './fixtures.ts'
import {conversationId, conversations, lastMessage, newChat, row, storedConversations} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {holdDelays} from './support/held-delays.ts'
import {run} from './support/open-palette.ts'
import {keptData} from './support/private-data.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {secondTab} from './support/signed-in.ts'

test(
  'rename: the list, the title and the server have the new name; Escape takes it back',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('a title to change')
    await ask(chat, 'Name me')
    await expect(lastMessage(chat)).toContainText('a title to change')
    const id = await conversationId(chat)
    const field = chat.getByRole('textbox', {name: 'Title of the conversation'})

    await row(chat, 'Name me').getByRole('link').press('F2')
    await field.fill('never')
    await field.press('Escape')
    await expect(row(chat, 'Name me')).toBeVisible()

    await row(chat, 'Name me').hover()
    await row(chat, 'Name me').getByRole('button', {name: 'Actions for Name me'}).click()
    await chat.getByRole('menuitem', {name: 'Rename'}).click()
    await field.fill('Renamed one')
    await field.press('Enter')
    await expect(row(chat, 'Renamed one')).toBeVisible()
    await expect
      .poll(async () => (await storedConversations(chat)).find((each) => each.id === id)?.title)
      .toBe('Renamed one')
    await chat.reload()
    await expect(row(chat, 'Renamed one')).toBeVisible()
    await expect(lastMessage(chat)).toContainText('a title to change')
  },
)

test('a dialog that the menu of a row opened gives the focus back to that row', long, async ({chat, modelServer}) => {
  modelServer.answer('a place in the list')
  await ask(chat, 'Keep my place')
  await expect(lastMessage(chat)).toContainText('a place in the list')
  await newChat(chat)
  const menu = row(chat, 'Keep my place').getByRole('button', {name: 'Actions for Keep my place'})
  for (const entry of ['Labels…', 'Export…', 'Share…'])
    await test.step(entry, async () => {
      await row(chat, 'Keep my place').hover()
      await menu.click()
      await chat.getByRole('menuitem', {name: entry}).click()
      await expect(chat.getByRole('dialog').getByRole('button').first()).toBeVisible()
      await chat.keyboard.press('Escape')
      await expect(chat.getByRole('dialog')).toHaveCount(0)
      await expect(menu).toBeFocused()
    })
})

test('delete asks, can be undone, and is gone for good when the page is left', long, async ({chat, modelServer}) => {
  modelServer.answer('delete this one')
  await ask(chat, 'Delete me')
  await expect(lastMessage(chat)).toContainText('delete this one')
  const id = await conversationId(chat)
  const remove = async () => {
    await row(chat, 'Delete me').hover()
    await row(chat, 'Delete me').getByRole('button', {name: 'Actions for Delete me'}).click()
    await chat.getByRole('menuitem', {name: 'Delete'}).click()
    await expect(conversations(chat).getByRole('alert')).toHaveText('Delete it?')
  }
  await remove()
  await conversations(chat).getByRole('button', {name: 'Cancel'}).click()
  await expect(row(chat, 'Delete me')).toBeVisible()

  await remove()
  await conversations(chat).getByRole('button', {name: 'Delete', exact: true}).click()
  await expect(row(chat, 'Delete me')).toHaveCount(0)
  await chat.getByRole('button', {name: 'Undo'}).click()
  await expect(row(chat, 'Delete me')).toBeVisible()

  // by the key too; a field that has something to undo keeps it
  await remove()
  await conversations(chat).getByRole('button', {name: 'Delete', exact: true}).click()
  await expect(row(chat, 'Delete me')).toHaveCount(0)
  await composer(chat).pressSequentially('to')
  await composer(chat).press('ControlOrMeta+z')
  await expect(row(chat, 'Delete me')).toHaveCount(0)
  await composer(chat).fill('')
  await composer(chat).blur()
  await composer(chat).press('ControlOrMeta+z')
  await expect(row(chat, 'Delete me')).toBeVisible()

  await remove()
  await conversations(chat).getByRole('button', {name: 'Delete', exact: true}).click()
  await expect(row(chat, 'Delete me')).toHaveCount(0)
  await chat.reload()
  await expect.poll(async () => (await storedConversations(chat)).some((each) => each.id === id)).toBe(false)
  await expect(row(chat, 'Delete me')).toHaveCount(0)
})

test(
  'a deep link opens its conversation, an unknown id says so and offers a new chat',
  long,
  async ({chat, installation, modelServer}) => {
    modelServer.answer('deep words')
    await ask(chat, 'Deep')
    await expect(lastMessage(chat)).toContainText('deep words')
    const id = await conversationId(chat)
    const other = await secondTab(chat, `/chatgpt/conversations/${id}`)
    await expect(lastMessage(other)).toContainText('deep words')
    await expect(row(other, 'Deep').getByRole('link')).toHaveAttribute('aria-current', 'page')

    await other.goto(`${installation.url}/chatgpt/conversations/3f2f9a9e-0000-4000-8000-000000000000`)
    await expect(other.getByText('This conversation is not here. It may have been deleted.')).toBeVisible()
    await other.getByRole('main').getByRole('link', {name: 'New chat'}).click()
    await expect(other).toHaveURL(/\/chatgpt\/conversations$/)
    await expect(other.getByRole('heading', {name: 'What are you working on?'})).toBeVisible()
  },
)

test('back and forward walk through the conversations', long, async ({chat, modelServer}) => {
  modelServer.answer((prompt) => `${prompt} answered`)
  await ask(chat, 'Left')
  await expect(lastMessage(chat)).toContainText('Left answered')
  await conversationId(chat)
  await newChat(chat)
  await expect(answers(chat)).toHaveCount(0)
  await ask(chat, 'Right')
  await expect(lastMessage(chat)).toContainText('Right answered')
  await conversationId(chat)
  await row(chat, 'Left').getByRole('link').click()
  await expect(lastMessage(chat)).toContainText('Left answered')
  await chat.goBack()
  await expect(lastMessage(chat)).toContainText('Right answered')
  await chat.goForward()
  await expect(lastMessage(chat)).toContainText('Left answered')
})

test(
  'a page that is left before it hears the name of its conversation: one question, one conversation, one line',
  long,
  async ({chat, modelServer}) => {
    modelServer.reset()
    modelServer.answer('Said once')
    const known = (await storedConversations(chat)).length
    let isLeft = false
    // stays until the page is gone: to lift it would hand the held answer to the page that is to miss it
    await chat.route('**/aichat/conversations', async (route) => {
      // as: every call of this address has a JSON body
      const {question} = route.request().postDataJSON() as {question?: string}
      if (question === undefined || isLeft) await route.continue()
      else await route.fetch()
    })
    await ask(chat, 'Only once')
    await expect.poll(() => modelServer.calls.length).toBe(1)
    await expect.poll(() => keptData(chat)).toContain('"content":"Only once"')
    isLeft = true
    const replay = chat.waitForResponse((response) => response.headers()['idempotent-replay'] === 'true')
    await chat.reload()
    await replay
    await expect(row(chat, /Said once|Only once/)).toHaveCount(1)
    await row(chat, /Said once|Only once/)
      .getByRole('link')
      .click()
    await expect(lastMessage(chat)).toContainText('Said once')
    await expect(answers(chat)).toHaveCount(2)
    expect((await storedConversations(chat)).length).toBe(known + 1)
    expect(modelServer.calls).toHaveLength(1)
    await chat.reload()
    await expect(answers(chat)).toHaveCount(2)
    await expect(row(chat, /Said once|Only once/)).toHaveCount(1)
  },
)

test(
  'with the list closed a conversation is deleted by keys alone from the palette, and comes back by them',
  long,
  async ({chat, installation, signedIn}) => {
    await holdDelays(chat)
    await seedConversations(installation, signedIn, [
      {title: 'Kites', texts: ['About kites', 'They fly.']},
      {title: 'Boats', texts: ['About boats', 'They float.'], minutesAgo: 5},
    ])
    await chat.reload()
    await row(chat, 'Kites').getByRole('link').click()
    await expect(lastMessage(chat)).toContainText('They fly.')
    await chat.keyboard.press('ControlOrMeta+\\')
    await expect(row(chat, 'Kites')).toHaveCount(0)
    const question = chat.getByRole('dialog', {name: 'Delete it?'})
    const removeByPalette = async () => {
      await expect(composer(chat)).toBeFocused()
      await run(chat, 'delete conversation', 'Delete')
      await expect(question).toContainText('Kites')
      await expect(question.getByRole('button', {name: 'Delete'})).toBeFocused()
    }
    await removeByPalette()
    await chat.keyboard.press('Escape')
    await removeByPalette()
    await chat.keyboard.press('Enter')
    await expect(lastMessage(chat)).toContainText('They float.')
    await expect(composer(chat)).toBeFocused()
    await expect(chat.getByRole('button', {name: 'Undo'})).toBeVisible()
    await chat.keyboard.press('ControlOrMeta+z')
    await expect(lastMessage(chat)).toContainText('They fly.')
  },
)
