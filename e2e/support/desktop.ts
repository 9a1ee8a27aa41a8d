import {expect, type Locator, type Page} from '@playwright/test'
import {ask, ended, lastMessage} from './chat-page.ts'
import {pointAt, press} from './press.ts'
import {messagesOf} from './words-of.ts'

/** A desktop whose user reads English; in the project `arabic desktop` Arabic. */
export const anyDesktop = {
  locale: ({userLocale}: {userLocale: string | undefined}, give: (locale: string) => Promise<void>) =>
    give(userLocale ?? 'en'),
}

/** The chat, by mouse or finger, in the language that its page speaks; parts are named by the ids of their messages. */
export async function desktopChat(page: Page) {
  const word = await messagesOf(page)
  const button = (of: Locator | Page, id: string, values?: Parameters<typeof word>[1]) =>
    of.getByRole('button', {name: word(id, values), exact: true})
  const list = page.getByRole('navigation', {name: word('chat.conversations')})
  const listed = list.getByRole('listitem').getByRole('link')
  const row = (title: string) =>
    list.getByRole('listitem').filter({has: page.getByRole('link', {name: title, exact: true})})
  /** Chooses from the open menu. */
  const chooseEntry = async (id: string) => {
    await press(page.getByRole('menuitem', {name: word(id), exact: true}))
    // while it fades out, its entries stand beside those of the next menu
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  return {
    word,
    button,
    list,
    listed,
    row,
    dialog: (id: string) => page.getByRole('dialog', {name: word(id), exact: true}),
    /** Chooses from the menu of a message. */
    chooseOf: async (message: Locator, id: string) => {
      await pointAt(message)
      await press(button(message, 'chat.messageActions'))
      await chooseEntry(id)
    },
    /** Chooses from the menu of a conversation in the list. */
    chooseOfRow: async (title: string, id: string) => {
      await pointAt(row(title))
      await press(button(row(title), 'chat.rowActions', {title}))
      await chooseEntry(id)
    },
    /** Chooses from the menu of the conversation on screen. */
    chooseOfThread: async (id: string) => {
      await press(button(page, 'chat.threadMenu'))
      await chooseEntry(id)
    },
    /** Asks, and waits for the whole answer. */
    askAndRead: async (question: string, answer: string) => {
      await ask(page, question)
      await expect(lastMessage(page)).toContainText(answer)
      await ended(page)
    },
  }
}

/** The direction in which each text of a part is written. */
export const directionsOf = (part: Locator, ...texts: string[]): Promise<string[]> =>
  Promise.all(
    texts.map((text) =>
      part
        .getByText(text, {exact: true})
        .last()
        .evaluate((element) => getComputedStyle(element).direction),
    ),
  )

/** How far from the edge where the page begins the words of each part begin. */
export const beginningsOf = (...parts: Locator[]): Promise<number[]> =>
  Promise.all(
    parts.map((part) =>
      part.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        const {left, right} = range.getBoundingClientRect()
        return Math.round(document.documentElement.dir === 'rtl' ? innerWidth - right : left)
      }),
    ),
  )

/** On which side of its words the stop at the end of a text stands. */
export const sideOfStop = (text: Locator): Promise<'left' | 'right'> =>
  text.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const {left, right} = range.getBoundingClientRect()
    // as: the text ends with a stop
    const words = element.lastChild as Text
    range.setStart(words, words.length - 1)
    const stop = range.getBoundingClientRect()
    return stop.left - left < right - stop.right ? 'left' : 'right'
  })
