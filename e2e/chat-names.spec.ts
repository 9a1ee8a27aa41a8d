import {answers, ask, expect, test} from './fixtures.ts'
import {conversationId, lastMessage, newChat, row, storedConversations} from './support/chat-page.ts'

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
})
