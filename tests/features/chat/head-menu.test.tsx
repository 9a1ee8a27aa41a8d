import {act, fireEvent, render, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test} from 'vitest'
import {HeadTools} from '#features/chat/chat-head.tsx'
// loaded beforehand, so that a busy machine does not wait for it inside a test
import '#features/chat/list/conversation-dialogs.tsx'
import '#ui/overlays/dialog-overlay.tsx'
import {now, record} from './chat-fixture.tsx'
import {showScreen} from './chat-screen-fixture.tsx'

const records = ['a', 'b', 'c'].map((key, index) => record(key, {updatedAt: now - index}))

async function openMenu() {
  fireEvent.click(await screen.findByRole('button', {name: 'Actions for this conversation'}))
  return within(await screen.findByRole('menu')).getAllByRole('menuitem')
}
const choose = async (name: string) => {
  const entry = (await openMenu()).find(({textContent}) => textContent === name)
  if (entry === undefined) throw new Error(`No ${name}`)
  fireEvent.click(entry)
}
const dialog = () => screen.findByRole('dialog')

test('the head offers what the menu of the row does', async () => {
  const {actors} = await showScreen('b', {records})
  const offersMarks = actors.conversations.getSnapshot().context.capabilities.includes('marks')
  const names = (await openMenu()).map(({textContent}) => textContent)
  expect(names.slice(1)).toEqual(['Rename', ...(offersMarks ? ['Pin', 'Labels…', 'Archive'] : []), 'Export…', 'Delete'])
})

test('the menu stays in the end of the head that comes before the last one has left', async () => {
  const lastTools = render(<HeadTools />)
  await showScreen('b', {records})
  const menu = await screen.findByRole('button', {name: 'Actions for this conversation'})
  lastTools.unmount()
  expect(screen.getByRole('button', {name: 'Actions for this conversation'})).toBe(menu)
})

test('a conversation is renamed in a dialog', async () => {
  const {calls} = await showScreen('b', {records})
  await choose('Rename')
  const user = userEvent.setup()
  const field = within(await dialog()).getByRole('textbox', {name: 'Title of the conversation'})
  expect(field).toHaveProperty('value', 'title b')
  await user.clear(field)
  expect(within(await dialog()).getByRole('button', {name: 'Save'})).toHaveProperty('disabled', true)
  await user.type(field, ' new name {Enter}')
  await waitFor(() => expect(calls).toEqual([{type: 'rename', conversation: 'b', title: 'new name'}]))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each(['Rename', 'Delete'])('%s gives the focus back to the menu in the head', async (name) => {
  await showScreen('b', {records})
  const user = userEvent.setup()
  const menu = await screen.findByRole('button', {name: 'Actions for this conversation'})
  await user.click(menu)
  await user.click(await screen.findByRole('menuitem', {name}))
  await waitFor(() => expect(document.activeElement?.closest('[role=dialog]')).not.toBeNull())
  if (name === 'Rename') expect(document.activeElement).toHaveProperty('selectionEnd', 'title b'.length)
  else expect(document.activeElement?.textContent).toBe('Delete')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(menu))
})

test('a deleted conversation gives way to its neighbour in the list, once the user has said so', async () => {
  const {actors, visited} = await showScreen('b', {records})
  const removing = () => actors.conversations.getSnapshot().context.removing
  await choose('Delete')
  fireEvent.click(within(await dialog()).getByRole('button', {name: 'Cancel'}))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(removing()).toEqual([])
  await choose('Delete')
  fireEvent.click(within(await dialog()).getByRole('button', {name: 'Delete'}))
  expect(removing()).toEqual(['b'])
  expect(visited.at(-1)).toEqual({group: 'chatgpt', conversation: 'c'})
})

test('that another tab deleted the conversation is said while it is renamed here', async () => {
  const {actors, notices} = await showScreen('b', {records})
  const deleteElsewhere = (...keys: string[]) =>
    act(() => actors.conversations.send({type: 'conversations.removed', keys}))
  await choose('Rename')
  await dialog()
  deleteElsewhere('a')
  expect(notices).toEqual([])
  deleteElsewhere('b')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(notices).toEqual(['chat.deletedElsewhere'])
})

test('a conversation that is deleted here is not said to be deleted elsewhere', async () => {
  const {actors, notices} = await showScreen('b', {records})
  await choose('Delete')
  fireEvent.click(within(await dialog()).getByRole('button', {name: 'Delete'}))
  act(() => actors.conversations.send({type: 'conversations.removed', keys: ['b']}))
  expect(notices).toEqual([])
})

test('a list that is refused is not said to be a deletion', async () => {
  let failure: object | undefined
  const {actors, notices} = await showScreen('b', {records, refusal: () => failure})
  await choose('Rename')
  await dialog()
  failure = {code: 'forbidden', detail: 'foo', status: 403}
  act(() => actors.conversations.send({type: 'conversations.refresh'}))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(notices).toEqual([])
})

test('a dialog that closed with its conversation stays closed when that is listed again', async () => {
  let failure: object | undefined
  const {actors} = await showScreen('b', {records, refusal: () => failure})
  const read = async (status: 'success' | 'error') => {
    act(() => actors.conversations.send({type: 'conversations.refresh'}))
    await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe(status))
  }
  await choose('Rename')
  await dialog()
  failure = {code: 'forbidden', detail: 'foo', status: 403}
  await read('error')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  failure = undefined
  await read('success')
  await openMenu()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a dialog stays open, with what was typed, while the server fails at reading the list again', async () => {
  let failure: object | undefined
  const {actors, notices} = await showScreen('b', {records, refusal: () => failure})
  await choose('Rename')
  const field = within(await dialog()).getByRole('textbox', {name: 'Title of the conversation'})
  fireEvent.change(field, {target: {value: 'new name'}})
  failure = {code: 'busy', detail: 'foo', status: 503}
  act(() => actors.conversations.send({type: 'conversations.refresh'}))
  await waitFor(() => expect(actors.conversations.getSnapshot().value).toBe('error'))
  expect(within(await dialog()).getByRole('textbox', {name: 'Title of the conversation'})).toHaveProperty(
    'value',
    'new name',
  )
  expect(notices).toEqual([])
})

test('a list that was read and lacks the conversation says that it is deleted', async () => {
  const served = [...records]
  const {actors, notices} = await showScreen('b', {records: served})
  await choose('Rename')
  await dialog()
  served.splice(1, 1)
  act(() => actors.conversations.send({type: 'conversations.refresh'}))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(notices).toEqual(['chat.deletedElsewhere'])
})
