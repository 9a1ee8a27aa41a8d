import {answers, ask, composer, expect, test} from './fixtures.ts'
import {conversationId, deleteElsewhere, lastMessage, newChat} from './support/chat-page.ts'
import {long} from './support/full-run.ts'

test.describe('Chat in the rail', () => {
  test('returns to the conversation that was left, after a reload too; New chat starts one', async ({chat}) => {
    const rail = chat.getByRole('navigation', {name: 'Main'}).first()
    const leave = async () => {
      await rail.getByRole('link', {name: 'Image', exact: true}).click()
      await expect(chat.getByRole('button', {name: 'Generate'})).toBeVisible()
    }
    const goBack = () => rail.getByRole('link', {name: 'Chat', exact: true}).click()
    await ask(chat, 'Which way?')
    await expect(lastMessage(chat)).toContainText('You said: Which way?')
    const id = await conversationId(chat)

    await leave()
    await goBack()
    await expect(lastMessage(chat)).toContainText('You said: Which way?')
    expect(await conversationId(chat)).toBe(id)
    await goBack()
    await expect(answers(chat)).toHaveCount(2)
    expect(await conversationId(chat)).toBe(id)

    await leave()
    await chat.reload()
    await goBack()
    await expect(lastMessage(chat)).toContainText('You said: Which way?')
    expect(await conversationId(chat)).toBe(id)

    await newChat(chat)
    await composer(chat).fill('half a thought')
    await leave()
    await goBack()
    await expect(composer(chat)).toHaveValue('half a thought')
    await expect(chat).toHaveURL(/\/chatgpt\/conversations$/)
  })

  test('starts a new chat where the conversation that was left has been deleted elsewhere', long, async ({chat}) => {
    await ask(chat, 'Which way?')
    await expect(lastMessage(chat)).toContainText('You said: Which way?')
    const id = await conversationId(chat)
    const rail = chat.getByRole('navigation', {name: 'Main'}).first()
    await rail.getByRole('link', {name: 'Image', exact: true}).click()
    await expect(chat.getByRole('button', {name: 'Generate'})).toBeVisible()

    await deleteElsewhere(chat, id)
    await chat.reload()
    await expect(rail.getByRole('link', {name: 'Chat', exact: true})).toHaveAttribute('href', '/chatgpt')
    await rail.getByRole('link', {name: 'Chat', exact: true}).click()
    await expect(composer(chat)).toBeVisible()
    await expect(chat).toHaveURL(/\/chatgpt\/conversations$/)
  })
})
