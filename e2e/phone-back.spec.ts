import type {Locator, Page, Request} from '@playwright/test'
import {composer, expect, test} from './fixtures.ts'
import {ask, chooseAction, conversationId, conversations, ended, lastMessage} from './support/chat-page.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import {long} from './support/full-run.ts'
import type {ModelServer} from './support/model-server.ts'
import {numberedTexts, seedConversation} from './support/seeded-conversation.ts'

/* On a phone the system's Back closes what lies over the page, one layer at a time, and stays on the page. */

test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true})

/**
 * The system's Back, as near as a desktop Chromium has it: the request to close that Esc is there, without the key
 * press that overlays hear themselves.
 */
async function back(page: Page): Promise<void> {
  await page.evaluate(() =>
    window.addEventListener('keydown', (event) => event.stopImmediatePropagation(), {capture: true, once: true}),
  )
  await page.keyboard.press('Escape')
}

/** Opens the list of conversations, in which one stands: *Hi*. */
async function openListOfOne(page: Page, modelServer: ModelServer): Promise<Locator> {
  modelServer.answer('an answer')
  await composer(page).fill('Hi')
  await page.getByRole('button', {name: 'Send'}).tap()
  await ended(page)
  await page.getByRole('button', {name: 'Open list'}).tap()
  return page.getByRole('dialog')
}

const isQuestion = (request: Request) => request.postData()?.includes('"stateful":true') === true

test('the list, the models, a menu and a dialog close, and the draft is as it was', async ({chat, modelServer}) => {
  modelServer.answer('an answer')
  await ask(chat, 'Hi')
  await chat.getByRole('button', {name: 'Send'}).tap()
  await ended(chat)
  await composer(chat).fill('a draft')
  const address = chat.url()
  const dialogs = chat.getByRole('dialog')

  await chat.getByRole('button', {name: 'Open list'}).tap()
  await expect(dialogs.getByRole('link', {name: /^New chat/})).toBeVisible()
  await back(chat)
  await expect(dialogs).toHaveCount(0)

  await chat.getByRole('button', {name: /^Model: /}).tap()
  await expect(chat.getByRole('grid')).toBeVisible()
  await back(chat)
  await expect(chat.getByRole('grid')).toHaveCount(0)

  await lastMessage(chat).getByRole('button', {name: 'More actions'}).tap()
  await expect(chat.getByRole('menu')).toBeVisible()
  await back(chat)
  await expect(chat.getByRole('menu')).toHaveCount(0)

  await chooseAction(lastMessage(chat), 'What happened')
  await expect(dialogs).toBeVisible()
  await back(chat)
  await expect(dialogs).toHaveCount(0)

  expect(chat.url()).toBe(address)
  await expect(composer(chat)).toHaveValue('a draft')
})

test('the list stays open while its new conversation gets an address', long, async ({chat, modelServer}) => {
  modelServer.hold(0)
  const questions = await HeldRoute.on(chat, '**/aichat/conversations', isQuestion)
  await composer(chat).fill('Hi')
  await chat.getByRole('button', {name: 'Send'}).tap()
  await questions.waitForOne()
  await chat.getByRole('button', {name: 'Open list'}).tap()
  const list = chat.getByRole('dialog')
  await expect(list.getByRole('link', {name: /^New chat/})).toBeVisible()
  await questions.let(goOn)
  await conversationId(chat)
  await expect(list.getByRole('link', {name: 'Hi', exact: true})).toHaveAttribute('aria-current', 'page')
  await expect(chat.locator('html')).toHaveAttribute('data-overlaid')
  modelServer.release()
})

test(
  'a conversation that is renamed keeps what was typed, and the list stays open',
  long,
  async ({chat, modelServer}) => {
    const list = await openListOfOne(chat, modelServer)
    await list.getByRole('button', {name: 'Actions for Hi'}).tap()
    await chat.getByRole('menuitem', {name: 'Rename', exact: true}).tap()
    const title = list.getByRole('textbox', {name: 'Title of the conversation'})
    await expect(title).toBeFocused()
    await title.fill('The harbour')
    await back(chat)
    await expect(list.getByRole('link', {name: 'The harbour'})).toBeFocused()
    await back(chat)
    await expect(list).toHaveCount(0)
  },
)

test(
  'a title that is being typed is kept where the list goes as a tablet is turned',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('an answer')
    await composer(chat).fill('Hi')
    await chat.getByRole('button', {name: 'Send'}).tap()
    await ended(chat)
    await chat.setViewportSize({width: 820, height: 1180})
    await chat.getByRole('button', {name: 'Open list'}).tap()
    await chat.getByRole('button', {name: 'Actions for Hi'}).tap()
    await chat.getByRole('menuitem', {name: 'Rename', exact: true}).tap()
    await chat.getByRole('textbox', {name: 'Title of the conversation'}).fill('The harbour')
    await chat.setViewportSize({width: 1180, height: 820})
    await expect(conversations(chat).getByRole('link', {name: 'The harbour'})).toBeVisible()
    await expect(chat.getByRole('dialog')).toHaveCount(0)
  },
)

test(
  'choosing several conversations ends, question first, and the list stays open',
  long,
  async ({chat, modelServer}) => {
    const list = await openListOfOne(chat, modelServer)
    await list.getByRole('button', {name: 'Actions for Hi'}).tap()
    await chat.getByRole('menuitem', {name: 'Select', exact: true}).tap()
    const bar = list.getByRole('toolbar')
    await bar.getByRole('button', {name: 'Delete'}).tap()
    const refusal = list.getByRole('button', {name: 'Cancel'})
    await expect(refusal).toBeVisible()
    await back(chat)
    await expect(refusal).toHaveCount(0)
    await expect(list.getByRole('checkbox', {name: 'Hi'})).toBeChecked()
    await back(chat)
    await expect(bar).toHaveCount(0)
    await expect(list.getByRole('link', {name: 'Hi', exact: true})).toBeVisible()
    await back(chat)
    await expect(list).toHaveCount(0)
  },
)

test(
  'the question before a deletion goes alone, by Back and by a key Esc of a keyboard at the phone',
  long,
  async ({chat, modelServer}) => {
    const list = await openListOfOne(chat, modelServer)
    for (const leave of [() => back(chat), () => chat.keyboard.press('Escape')]) {
      await list.getByRole('button', {name: 'Actions for Hi'}).tap()
      await chat.getByRole('menuitem', {name: 'Delete', exact: true}).tap()
      await expect(list.getByRole('button', {name: 'Delete', exact: true})).toBeFocused()
      await leave()
      await expect(list.getByRole('link', {name: 'Hi', exact: true})).toBeFocused()
    }

    await list.getByRole('button', {name: 'Actions for Hi'}).tap()
    await chat.getByRole('menuitem', {name: 'Select', exact: true}).tap()
    await list.getByRole('toolbar').getByRole('button', {name: 'Delete'}).tap()
    await expect(list.getByRole('button', {name: 'Cancel'})).toBeVisible()
    await chat.keyboard.press('Escape')
    await expect(list.getByRole('button', {name: 'Cancel'})).toHaveCount(0)
    await expect(list.getByRole('checkbox', {name: 'Hi'})).toBeChecked()
  },
)

test(
  'a history that goes back to where the list was opened does not open it again',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('an answer')
    await composer(chat).fill('Hi')
    await chat.getByRole('button', {name: 'Send'}).tap()
    const id = await conversationId(chat)
    await ended(chat)
    await chat.getByRole('button', {name: 'Open list'}).tap()
    const list = chat.getByRole('dialog')
    await list.getByRole('link', {name: 'DeepSeek'}).tap()
    await chat.waitForURL(/deepseek/)
    await expect(list).toHaveCount(0)
    await chat.goBack()
    await chat.waitForURL(new RegExp(id))
    await expect(lastMessage(chat)).toContainText('an answer')
    await expect(chat.getByRole('button', {name: 'Open list'})).toBeVisible()
    await expect(list).toHaveCount(0)
  },
)

test('the field that finds words and the list of the questions close', long, async ({chat, installation, signedIn}) => {
  const {id} = await seedConversation(installation, signedIn, numberedTexts(20))
  await chat.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(lastMessage(chat)).toBeInViewport()
  const address = chat.url()
  const open = async (name: string) => {
    await chat.getByRole('button', {name: 'Actions for this conversation'}).tap()
    await chat.getByRole('menuitem', {name, exact: true}).tap()
  }

  await open('Questions')
  const questions = chat.getByRole('navigation', {name: 'Questions'})
  await expect(questions).toBeVisible()
  await back(chat)
  await expect(questions).toHaveCount(0)

  await open('Find in conversation')
  const field = chat.getByRole('search', {name: 'Find in conversation'})
  await expect(field).toBeVisible()
  await back(chat)
  await expect(field).toHaveCount(0)
  expect(chat.url()).toBe(address)
})

test(
  'a key Esc, of a keyboard at the phone, ends the renaming of a label and leaves its dialog',
  long,
  async ({chat, modelServer}) => {
    modelServer.answer('an answer')
    await ask(chat, 'Hi')
    await chat.getByRole('button', {name: 'Send'}).tap()
    await ended(chat)
    await chat.getByRole('button', {name: 'Open list'}).tap()
    await chat
      .getByRole('listitem')
      .filter({has: chat.getByRole('link', {name: 'Hi'})})
      .getByRole('button')
      .last()
      .tap()
    await chat.getByRole('menuitem', {name: 'Labels…'}).tap()
    const dialog = chat.getByRole('dialog', {name: 'Labels'})
    await dialog.getByRole('textbox').fill('work')
    await dialog.getByRole('button', {name: 'Save'}).tap()
    await chat.getByRole('button', {name: 'Options of the list'}).tap()
    await chat.getByRole('menuitem', {name: 'Labels…'}).tap()
    const rename = dialog.getByRole('listitem', {name: 'work'}).getByRole('button', {name: 'Rename'})
    await rename.tap()
    await dialog.getByRole('textbox', {name: 'Rename'}).press('Escape')
    await expect(rename).toBeFocused()

    // and so does the Back of the phone itself
    await rename.tap()
    await expect(dialog.getByRole('textbox', {name: 'Rename'})).toBeFocused()
    await back(chat)
    await expect(rename).toBeFocused()
  },
)

test('the list opens with its content at once, without asking the server for code', long, async ({chat}) => {
  const prepared = chat.waitForResponse(/\/assets\/drawer-overlay-/)
  await chat.reload()
  await prepared
  await chat.route(/\/assets\//, (route) => route.abort())
  await chat.getByRole('button', {name: 'Open list'}).tap()
  await expect(chat.getByRole('dialog').getByRole('link', {name: /^New chat/})).toBeVisible()
})
