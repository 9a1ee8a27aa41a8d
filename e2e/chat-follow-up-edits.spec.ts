import {ask, expect, test} from './fixtures.ts'
import {ended, lastMessage, newChat} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {lookAt} from './support/look-at.ts'
import {pixel} from './support/pixel.ts'
import {secondTab} from './support/signed-in.ts'
import {askWhileHeld, item, list, order} from './support/waiting-questions.ts'

/* Questions that are edited while they wait for their turn. */

test(
  'a question that is edited when its conversation is left keeps what was typed and is sent',
  long,
  async ({chat, modelServer}) => {
    await askWhileHeld(chat, modelServer, 'two', 'three')
    const address = chat.url()
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
    await askWhileHeld(chat, modelServer, 'two')
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
  await askWhileHeld(chat, modelServer, 'two')
  await item(chat, 'two').getByRole('button', {name: 'Edit'}).click()
  const editor = list(chat).getByRole('textbox')
  await editor.fill('two, typed')
  await lookAt(chat, false)
  const other = await secondTab(chat)
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
  await askWhileHeld(chat, modelServer)
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
  async ({chat, modelServer}) => {
    await askWhileHeld(chat, modelServer)
    const other = await secondTab(chat)
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
