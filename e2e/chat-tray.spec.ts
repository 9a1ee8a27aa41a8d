import {answers, ask, expect, test} from './fixtures.ts'
import {alert, conversationId, ended, lastMessage, newChat, storedConversations} from './support/chat-page.ts'
import {long} from './support/full-run.ts'

test.describe('the list of tasks', () => {
  test(
    'names a failed chat by its question, opens it, and asks it again from anywhere, once',
    long,
    async ({chat, modelServer}) => {
      await ask(chat, 'Which way?')
      await expect(lastMessage(chat)).toContainText('You said: Which way?')
      const id = await conversationId(chat)
      modelServer.fail(500, {error: {message: 'Exploded'}})
      await ended(chat)
      await ask(chat, 'And **how** far?')
      await expect(alert(chat)).toBeVisible()
      await newChat(chat)
      await expect(answers(chat)).toHaveCount(0)

      await chat.getByRole('button', {name: 'Tasks', exact: true}).click()
      const tray = chat.getByRole('dialog', {name: 'Tasks'})
      const line = tray.getByRole('listitem').filter({hasText: 'And how far?'})
      await line.getByRole('link', {name: 'Open'}).click()
      await expect(alert(chat)).toBeVisible()
      expect(await conversationId(chat)).toBe(id)

      await chat.getByRole('link', {name: 'Image', exact: true}).click()
      await expect(chat.getByRole('button', {name: 'Generate'})).toBeVisible()
      modelServer.answer('Ten miles')
      await chat.getByRole('button', {name: 'Tasks', exact: true}).click()
      await line.getByRole('button', {name: 'Try again'}).click()
      await expect(tray.getByRole('listitem').filter({hasText: 'Which way?'})).toContainText('Done')
      await tray.getByRole('link', {name: 'Open'}).click()
      await expect(lastMessage(chat)).toContainText('Ten miles')
      await expect(answers(chat)).toHaveCount(4)
      const [kept] = await storedConversations(chat)
      expect(kept?.messages.map(({content}) => content)).toEqual([
        'Which way?',
        'You said: Which way?',
        'And **how** far?',
        'Ten miles',
      ])
      expect(modelServer.prompts).toEqual(['Which way?', 'And **how** far?', 'And **how** far?'])
    },
  )
})
