import type {Page} from '@playwright/test'
import {answers, ask, composer, expect, test} from './fixtures.ts'
import {conversationId, lastMessage, newChat, row, storedConversations} from './support/chat-page.ts'
import {isCommand} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce} from './support/held-route.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab, secondTab} from './support/signed-in.ts'

const commands = '**/aichat/conversations'
const rename = async (page: Page, title: string, next: string) => {
  await row(page, title).getByRole('link').press('F2')
  const field = page.getByRole('textbox', {name: 'Title of the conversation'})
  await field.fill(next)
  await field.press('Enter')
}
const storedTitles = async (page: Page) => (await storedConversations(page)).map(({title}) => title)

test.describe('the name of a conversation', () => {
  test('is found by the model after the first answer: list, heading, tab and server agree, and a given one stays', async ({
    chat,
    modelServer,
  }) => {
    modelServer.nameBy('**Ways** to the harbour')
    await ask(chat, 'Which way is it to the harbour?')
    await expect(lastMessage(chat)).toContainText('You said: Which way')
    await expect(row(chat, 'Ways to the harbour')).toBeVisible()
    await expect(chat.getByRole('heading', {level: 1})).toHaveText('Ways to the harbour')
    await expect(chat).toHaveTitle(/^Ways to the harbour/)
    const id = await conversationId(chat)
    expect((await storedConversations(chat)).find((each) => each.id === id)?.title).toBe('Ways to the harbour')

    await row(chat, 'Ways to the harbour').hover()
    await row(chat, 'Ways to the harbour').getByRole('button', {name: 'Actions for Ways to the harbour'}).click()
    await chat.getByRole('menuitem', {name: 'Rename'}).click()
    await chat.getByRole('textbox', {name: 'Title of the conversation'}).fill('Mine')
    await chat.getByRole('textbox', {name: 'Title of the conversation'}).press('Enter')
    modelServer.nameBy('Another name')
    await lastMessage(chat).getByRole('button', {name: 'Answer again'}).click()
    await expect.poll(() => modelServer.prompts.length).toBe(2)
    await expect(answers(chat)).toHaveCount(2)
    await newChat(chat)
    await ask(chat, 'And now?')
    await expect(row(chat, 'Another name')).toBeVisible()
    await expect(row(chat, 'Mine')).toBeVisible()
    expect(modelServer.prompts).toHaveLength(3)
  })

  test(
    'is that of the user in both tabs where the name of the model comes later',
    long,
    async ({chat, modelServer}) => {
      modelServer.nameBy('Ways to the harbour')
      const copies = await HeldRoute.on(chat, commands, isCommand('retrieve'))
      await ask(chat, 'Which way?')
      await expect(lastMessage(chat)).toContainText('You said: Which way?')
      await expect.poll(() => storedTitles(chat)).toEqual(['Ways to the harbour'])
      // the copy with the name is on its way
      let letGo: () => void = () => undefined
      const released = new Promise<void>((resolve) => (letGo = resolve))
      let count = 0
      const delivered = copies.let(async (route) => {
        const response = await route.fetch()
        count += 1
        await released
        await route.fulfill({response})
      })
      await expect.poll(() => count).toBeGreaterThan(0)
      const other = await secondTab(chat)
      await expect(row(other, 'Ways to the harbour')).toBeVisible()
      await rename(chat, 'Which way?', 'Mine')
      await expect(row(other, 'Mine')).toBeVisible()
      await expect.poll(() => storedTitles(chat)).toEqual(['Mine'])
      letGo()
      await delivered
      for (const tab of [chat, other]) {
        await expect(tab).toHaveTitle(/^Mine/)
        await expect(row(tab, 'Mine')).toBeVisible()
        await expect(row(tab, 'Ways to the harbour')).toHaveCount(0)
      }
    },
  )

  test(
    'outlasts a list that was read before it, and in another tab is there again once the server has it',
    long,
    async ({context, installation, signedIn}) => {
      await seedConversations(installation, signedIn, [{title: 'Kites', texts: ['foo', 'bar']}])
      const page = await blankTab(context, installation.url, signedIn)
      const other = await context.newPage()
      for (const tab of [page, other]) {
        await tab.goto(`${installation.url}/chatgpt/conversations`)
        await expect(composer(tab)).toBeEnabled()
        await expect(row(tab, 'Kites')).toBeVisible()
      }
      const calls = await HeldRoute.on(page, commands, isCommand('update'))
      await rename(page, 'Kites', 'Mine')
      await calls.waitForOne()
      await expect(row(other, 'Mine')).toBeVisible()
      for (const tab of [page, other]) {
        const read = tab.waitForResponse((response) => isCommand('retrieve_batch')(response.request()))
        await tab.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})))
        await read
      }
      await expect(row(other, 'Kites')).toBeVisible()
      await expect(row(page, 'Mine')).toBeVisible()
      await letOnce(calls, goOn)
      for (const tab of [page, other]) await expect(row(tab, 'Mine')).toBeVisible()
      expect(await storedTitles(page)).toEqual(['Mine'])
    },
  )
})
