import {expect, test} from './fixtures.ts'
import {ask, ended, lastMessage} from './support/chat-page.ts'

const filler = Array.from({length: 30}, (_, index) => `Paragraph ${index + 1} of the answer.`).join('\n\n')
const answer = `The kite is old[^1].\n\n${filler}\n\nIt flies[^2].\n\n[^1]: From the **tenth** century.\n[^2]: https://foo.example/`

test('a reference opens its footnote and the footnote leads back, at the address of the conversation', async ({
  chat,
  modelServer,
}) => {
  modelServer.answer(answer)
  await ask(chat, 'Kites?')
  await ended(chat)
  const message = lastMessage(chat)
  const [reference, note] = [
    message.locator('[role="doc-noteref"]').first(),
    message.locator('[role="doc-backlink"]').first(),
  ]
  const address = chat.url()
  await reference.focus()
  await chat.keyboard.press('Enter')
  await expect(note).toBeFocused()
  await expect(note).toBeInViewport()
  await note.click()
  await expect(reference).toBeFocused()
  await expect(reference).toBeInViewport()
  expect(chat.url()).toBe(address)
})
