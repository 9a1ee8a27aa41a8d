import type {Locator} from '@playwright/test'
import {ask, expect, test} from './fixtures.ts'
import {ended} from './support/chat-page.ts'

/* The chat on a desktop, measured where the mockup of the design says how it looks. */

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox()
  if (box === null) throw new Error('It has no place on the page.')
  return {...box, end: box.x + box.width, middle: box.y + box.height / 2}
}

test('the head ends with the credits and after them the menu, for the eye and for Tab', async ({chat, modelServer}) => {
  modelServer.answer('An owl.')
  await ask(chat, 'What is it?')
  await ended(chat)
  const head = chat.getByRole('banner')
  const balance = head.getByRole('button', {name: /credits/})
  const menu = head.getByRole('button', {name: 'Actions for this conversation'})
  const [ofHead, ofBalance, ofMenu] = [await boxOf(head), await boxOf(balance), await boxOf(menu)]
  expect(ofMenu.x - ofBalance.end).toBe(8)
  expect(ofHead.end - ofMenu.end).toBe(12)
  expect((await boxOf(balance.locator('svg'))).width).toBe(14)
  await balance.focus()
  await chat.keyboard.press('Tab')
  await expect(menu).toBeFocused()
})
