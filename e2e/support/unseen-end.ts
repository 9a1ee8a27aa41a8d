import {type BrowserContext, expect, type Page} from '@playwright/test'
import {lastMessage} from './chat-page.ts'
import {lookAt} from './look-at.ts'
import type {ModelServer} from './model-server.ts'
import {startOf} from './phone.ts'
import {standInSystem} from './stood-in-notices.ts'
import {wordsOf} from './words-of.ts'

/** A conversation of the page, and how its user asks in it and leaves it. */
type Conversation = {
  address: string
  title: string
  /** The answer has two parts: the model is held between them. */
  answer: readonly [string, string]
  ask: () => Promise<void>
  leave: () => Promise<void>
}

/** An answer ends while the device shows something else: the system shows it once, and a press on that leads to it. */
export async function expectUnseenEndNotified(
  {page, context, modelServer}: {page: Page; context: BrowserContext; modelServer: ModelServer},
  {address, title, answer: [first, rest], ask, leave}: Conversation,
): Promise<void> {
  const word = await wordsOf(page)
  const system = await standInSystem(context)
  await page.goto(address)
  modelServer.answer(`${first} ${rest}`)
  modelServer.hold(1)
  await ask()
  await expect(lastMessage(page)).toContainText(first)
  await leave()
  await expect(page.locator('link[rel="manifest"]')).toBeAttached()
  await lookAt(page, false)
  modelServer.release()
  await expect(page).toHaveTitle(startOf('\\(1\\) '))
  const notice = {title, body: word('index.settingNotifyReady'), href: new URL(address).pathname}
  await expect.poll(system.shown).toEqual([notice])
  await lookAt(page, true)
  await expect(page).toHaveTitle(/^\(1\) /)
  await system.tap(notice)
  await expect(page).toHaveURL(address)
  await expect(lastMessage(page)).toContainText(rest)
  await expect(page).toHaveTitle(startOf(title))
}
