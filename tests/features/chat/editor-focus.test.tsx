import {fireEvent, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test} from 'vitest'
import {record} from './chat-fixture.tsx'
import {showScreen} from './chat-screen-fixture.tsx'

/* The focus has a target when the editor of a sent message closes. */

const edit = () => screen.findByRole('button', {name: 'Edit'})
const editor = () => screen.findByRole('textbox', {name: 'Edit message'})
const expectFocus = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element))

test('Escape and Cancel give it back to the button that opened the editor', async () => {
  const user = userEvent.setup()
  await showScreen('a', {records: [record('a')]})
  await user.click(await edit())
  await expectFocus(await editor())
  await user.keyboard('{Escape}')
  await expectFocus(await edit())
  await user.click(await edit())
  await user.click(screen.getByRole('button', {name: 'Cancel'}))
  await expectFocus(await edit())
})

test('the message field gets it back where the arrow key opened the editor', async () => {
  const user = userEvent.setup()
  await showScreen('a', {records: [record('a')]})
  await edit()
  const field = screen.getByRole('textbox', {name: 'Message'})
  field.focus()
  await user.keyboard('{ArrowUp}')
  await expectFocus(await editor())
  await user.keyboard('{Escape}')
  await expectFocus(field)
})

test('a changed question keeps it while it is answered', async () => {
  const user = userEvent.setup()
  await showScreen('a', {records: [record('a')]})
  await user.click(await edit())
  const question = (await editor()).closest('article') as HTMLElement // as: the editor stands in a message
  fireEvent.change(await editor(), {target: {value: 'foo!'}})
  await user.keyboard('{Enter}')
  expect(await screen.findByText('foo!')).toBeVisible()
  await expectFocus(question)
})
