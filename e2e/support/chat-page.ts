import {expect, type Locator, type Page} from '@playwright/test'
import {copied} from './clipboard.ts'

/** A message as the server keeps it; what a test compares to the byte. */
export type StoredMessage = {role: string; content: unknown; state?: string; outcome?: string; error?: {code: string}}
export type StoredConversation = {id: string; title?: string; labels?: string[]; messages: StoredMessage[]}

export const composer = (page: Page): Locator => page.getByRole('main').getByRole('textbox').last()
export const thread = (page: Page): Locator => page.getByRole('log')
/** All messages: the user's and the model's in turn. */
export const answers = (page: Page): Locator => thread(page).getByRole('article')
export const lastMessage = (page: Page): Locator => answers(page).last()
export const alert = (page: Page): Locator => thread(page).getByRole('alert')
export const conversations = (page: Page): Locator => page.getByRole('navigation', {name: 'Conversations'})
/** The row of a conversation: its link, its dot, its menu. */
export const row = (page: Page, title: string | RegExp): Locator =>
  conversations(page)
    .getByRole('listitem')
    .filter({has: page.getByRole('link', {name: title})})

/**
 * The conversation is on screen: its field has replaced those that stand there first, and the focus. Not on
 * touch, where it takes none.
 */
export const opened = (page: Page): Promise<void> => expect(composer(page)).toBeFocused()

export async function ask(page: Page, question: string): Promise<void> {
  await composer(page).fill(question)
  await composer(page).press('Enter')
}

/** The models that are offered, each a cell of a grid. */
export const offeredModel = (page: Page, name: string | RegExp): Locator => page.getByRole('gridcell', {name})

/** Chooses the model of the conversation on screen. */
export async function chooseModel(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', {name: /^Model: /}).click()
  await offeredModel(page, name).click()
}

/** The menu of a message with the actions that have no button. */
export const moreActions = (message: Locator): Locator => message.getByRole('button', {name: 'More actions'})

/** Chooses from the menu of a message. */
export async function chooseAction(message: Locator, name: string | RegExp): Promise<void> {
  await message.hover()
  await moreActions(message).click()
  const page = message.page()
  await page.getByRole('menuitem', {name}).click()
  // while it fades out, its entries stand beside those of the next menu
  await expect(page.getByRole('menu')).toHaveCount(0)
}

/** The answer has ended: while it runs, its last words may be there and no other question is taken. */
export const ended = (page: Page) => expect(page.getByRole('log')).toHaveAttribute('aria-busy', 'false')

/**
 * Stops the answer by `act`, and waits until the server has confirmed it: words that it sends before would still count.
 */
export async function stopAnswer(page: Page, act: () => Promise<void>): Promise<void> {
  const confirmed = page.waitForResponse(
    (response) => response.request().postData()?.includes('"action":"stop"') === true,
  )
  await act()
  await confirmed
}

/** Begins a new conversation: until its page is there, the field of the one before takes what is typed. */
export async function newChat(page: Page): Promise<void> {
  await conversations(page)
    .getByRole('link', {name: /^New chat/})
    .click()
  await expect(answers(page)).toHaveCount(0)
}

const address = /\/chatgpt\/conversations\/([\w-]+)$/

/** The id of the conversation on screen, once the server has named it. */
export async function conversationId(page: Page): Promise<string> {
  await page.waitForURL(address)
  const id = address.exec(new URL(page.url()).pathname)?.[1]
  if (id === undefined) throw new Error(`No conversation in ${page.url()}`)
  return id
}

/** Sends a command of the user about conversations from the page, with its own credential, and returns the answer. */
const command = (page: Page, body: object): Promise<unknown> =>
  page.evaluate(async (given) => {
    // as: the shape of what the app keeps is asserted by tests/browser
    const state = JSON.parse(localStorage.getItem('vuex') ?? '{}') as {
      chat: {credential: {token: string}}
    }
    const response = await fetch('/services/api/aichat/conversations', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${state.chat.credential.token}`,
        'content-type': 'application/json',
        'x-record-exempt': 'true',
      },
      body: JSON.stringify(given),
    })
    if (!response.ok) throw new Error(`The command was refused with ${response.status}`)
    return response.json()
  }, body)

/** All conversations of the user as the server keeps them. */
export const storedConversations = async (page: Page): Promise<StoredConversation[]> =>
  // as: the contract tests check this answer
  ((await command(page, {action: 'retrieve_batch'})) as {items: StoredConversation[]}).items

/** Deletes a conversation as another device does: the page hears nothing of it. */
export const deleteElsewhere = (page: Page, id: string) => command(page, {action: 'delete', id})

/** Gives a conversation other instructions as another device does. */
export const instructElsewhere = (page: Page, id: string, preset: string) =>
  command(page, {action: 'update', id, preset})

/** The last message of a conversation as the server keeps it. */
export async function storedAnswer(page: Page, id: string): Promise<StoredMessage> {
  const conversation = (await storedConversations(page)).find((each) => each.id === id)
  const message = conversation?.messages.at(-1)
  if (message === undefined) throw new Error(`The server keeps no conversation ${id}`)
  return message
}

/** Copies the last message by its button, and returns the text of the clipboard. */
export async function copiedAnswer(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await lastMessage(page).hover()
  return copied(lastMessage(page).getByRole('button', {name: 'Copy as Markdown'}))
}
