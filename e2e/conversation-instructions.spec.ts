import {ask, composer, expect, test} from './fixtures.ts'
import {axeFaults} from './support/axe.ts'
import {ended, lastMessage, newChat, thread} from './support/chat-page.ts'
import {reopenIn} from './support/page-looks.ts'
import {secondTab} from './support/signed-in.ts'
import type {ModelServer} from './support/model-server.ts'
import type {Page} from '@playwright/test'
import {long} from './support/full-run.ts'

/* Instructions of one conversation: the model gets them with every question, and no other conversation's. */

const title = 'Instructions for this conversation'
const field = (page: Page) => page.getByRole('dialog').getByRole('textbox')
const instructed = ({calls}: ModelServer) =>
  calls.at(-1)?.messages.flatMap(({role, content}) => (role === 'system' ? [content] : []))

async function openFromThread(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Actions for this conversation'}).click()
  await page.getByRole('menuitem', {name: title}).click()
  await field(page).waitFor()
}

async function save(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await page.getByRole('button', {name: 'Save', exact: true}).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test.use({viewport: {width: 1440, height: 900}})

test(
  'are set before the first question, changed and removed, and hold after a reload',
  long,
  async ({chat, modelServer}) => {
    await reopenIn(chat, {theme: 'dark', locale: 'en'})
    const picker = chat.getByRole('button', {name: /^Model: /})
    await picker.click()
    await chat.getByRole('button', {name: title}).click()
    await expect(field(chat)).toBeFocused()
    expect(await axeFaults(chat)).toEqual([])
    await save(chat, 'Answer in verse.')
    await expect(picker).toBeFocused()
    await chat.reload()
    await ask(chat, 'One?')
    await ended(chat)
    expect(instructed(modelServer)).toEqual(['Answer in verse.'])

    await chat.reload()
    await openFromThread(chat)
    await expect(field(chat)).toHaveValue('Answer in verse.')
    await save(chat, 'Answer in prose.')
    await expect(chat.getByRole('button', {name: 'Actions for this conversation'})).toBeFocused()
    await ask(chat, 'Two?')
    await expect(lastMessage(chat)).toContainText('Two?')
    await ended(chat)
    expect(instructed(modelServer)).toEqual(['Answer in prose.'])

    await openFromThread(chat)
    await chat.getByRole('button', {name: 'Remove', exact: true}).click()
    await expect(chat.getByRole('dialog')).toHaveCount(0)
    await ask(chat, 'Three?')
    await expect(lastMessage(chat)).toContainText('Three?')
    await ended(chat)
    expect(instructed(modelServer)).toEqual([])

    // they were those of one conversation
    await newChat(chat)
    await ask(chat, 'Four?')
    await ended(chat)
    expect(instructed(modelServer)).toEqual([])
  },
)

test('what another tab saved is shown first; without a network nothing is lost', long, async ({chat, context}) => {
  await ask(chat, 'One?')
  await ended(chat)
  await openFromThread(chat)
  await field(chat).fill('Mine.')
  const other = await secondTab(chat)
  await thread(other).waitFor()
  await openFromThread(other)
  await save(other, 'Theirs.')

  await context.setOffline(true)
  const button = chat.getByRole('button', {name: 'Save', exact: true})
  await button.click()
  await expect(chat.getByRole('dialog').getByRole('alert')).toContainText("weren't saved")
  await context.setOffline(false)
  await button.click()
  await expect(chat.getByRole('dialog').getByRole('alert')).toContainText('Theirs.')
  await expect(field(chat)).toHaveValue('Mine.')
  await button.click()
  await expect(chat.getByRole('dialog')).toHaveCount(0)
  await openFromThread(other)
  await expect(field(other)).toHaveValue('Mine.')
})

test.describe('on a phone, in Arabic', () => {
  test.use({viewport: {width: 390, height: 844}})

  test('the same dialog', long, async ({chat, modelServer}) => {
    await reopenIn(chat, {theme: 'light', locale: 'ar'})
    await chat.locator('header').getByRole('button', {name: /GPT-5/}).click()
    await chat.getByRole('button', {name: 'تعليمات هذه المحادثة'}).click()
    await field(chat).fill('كن موجزًا.')
    expect(await axeFaults(chat)).toEqual([])
    expect(await chat.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
    await chat.getByRole('dialog').getByRole('button', {name: 'حفظ'}).click()
    await expect(chat.getByRole('dialog')).toHaveCount(0)
    await composer(chat).fill('سؤال')
    await composer(chat).press('Enter')
    await ended(chat)
    expect(instructed(modelServer)).toEqual(['كن موجزًا.'])
  })
})
