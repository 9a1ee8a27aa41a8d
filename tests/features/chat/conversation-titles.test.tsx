import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {ConversationPanel} from '#features/chat/conversation-panel.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, now, record} from './chat-fixture.tsx'
import {location, groups, link, focus, titles, showRows} from './rows-fixture.tsx'

test('a title that was edited, or a deletion that was not confirmed, gives the focus back to its row', async () => {
  await showRows()
  const user = userEvent.setup()
  await focus('title b')
  for (const keys of ['{F2}{Escape}', '{Delete}{Escape}']) {
    await user.keyboard(keys)
    expect(document.activeElement).toBe(await link('title b'))
  }
  await user.keyboard('{Delete}')
  expect(screen.getByRole('alert').textContent).toBe('Delete it?')
  await user.click(screen.getByRole('button', {name: 'Cancel'}))
  expect(document.activeElement).toBe(await link('title b'))
  await user.keyboard('{F2}title new{Enter}')
  expect(document.activeElement).toBe(await link('title new'))
  await user.keyboard('{Delete}{Enter}')
  await waitFor(() => expect(titles()).toEqual(['title a', 'title c']))
  expect(document.activeElement).toBe(await link('title c'))
  await user.keyboard('{Delete}{Enter}')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('title a'))
})

test('the title of a row is edited by key and menu: the second half of a double click edits nothing', async () => {
  await showRows()
  const user = userEvent.setup()
  await user.dblClick(await link('title b'))
  expect(screen.queryByRole('textbox', {name: 'Title of the conversation'})).toBeNull()
})

test.each([
  ['archived', {archived: true}, ['title a', 'title c'], 'title c'],
  ['pinned', {pinned: true}, ['title new', 'title a', 'title c'], 'title c'],
  ['labelled', {labels: ['foo']}, ['title a', 'title new', 'title c'], 'title new'],
])(
  'a title that is edited stays in its field when the conversation is %s elsewhere',
  async (_, marks, left, focused) => {
    const {actors} = await showRows()
    const user = userEvent.setup()
    await focus('title b')
    await user.keyboard('{F2}title ne')
    act(() => actors.conversations.send({type: 'conversations.changed', changes: [{key: 'b', ...marks}]}))
    const field = screen.getByRole('textbox', {name: 'Title of the conversation'})
    expect(document.activeElement).toBe(field)
    await user.keyboard('w{Enter}')
    await waitFor(() => expect(titles()).toEqual(left))
    expect(document.activeElement).toBe(await link(focused))
    expect(actors.conversations.getSnapshot().context.items.find(({key}) => key === 'b')?.title).toBe('title new')
  },
)

test('a title whose editor is left by a press is kept, and its conversation goes where it was archived to', async () => {
  const {actors} = await showRows()
  const user = userEvent.setup()
  await focus('title b')
  await user.keyboard('{F2}title new')
  act(() => actors.conversations.send({type: 'conversations.changed', changes: [{key: 'b', archived: true}]}))
  await user.click(await link('title c'))
  await waitFor(() => expect(titles()).toEqual(['title a', 'title c']))
  expect(actors.conversations.getSnapshot().context.items.find(({key}) => key === 'b')?.title).toBe('title new')
})

test('a title that is edited shows its beginning', async () => {
  await showRows()
  const scrolled = vi.spyOn(HTMLInputElement.prototype, 'scrollLeft', 'set')
  fireEvent.keyDown(await link('title a'), {key: 'F2'})
  const field = await screen.findByRole<HTMLInputElement>('textbox', {name: 'Title of the conversation'})
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 'title a'.length])
  expect(scrolled).toHaveBeenLastCalledWith(0)
})

test('rows with one title, as a comparison leaves them, say which model answered', async () => {
  await showRows({}, {b: {title: 'title c', model: 'gpt-4o'}, c: {model: 'gpt-5-mini'}})
  const rows = screen.getAllByRole('listitem').map(({textContent}) => textContent)
  expect(rows).toEqual(['title a', 'title cGPT-4o basic', 'title cGPT-5 mini'])
})

test('rows with one title and one model have nothing to say', async () => {
  await showRows({}, {b: {title: 'title c'}})
  expect(screen.getAllByRole('listitem').map(({textContent}) => textContent)).toEqual(['title a', 'title c', 'title c'])
})

test('a title whose conversation another tab deletes meanwhile goes with a notice', async () => {
  const {actors, notices} = await showRows()
  const row = await link('title b')
  fireEvent.keyDown(row, {key: 'F2'})
  await screen.findByRole('textbox', {name: 'Title of the conversation'})
  act(() => actors.conversations.send({type: 'conversations.removed', keys: ['b']}))
  await waitFor(() => expect(screen.queryByRole('textbox', {name: 'Title of the conversation'})).toBeNull())
  expect(notices).toEqual(['chat.deletedElsewhere'])
})

test('a title whose conversation is deleted by a tab that closes goes with a notice, too', async () => {
  const {actors, notices} = await showRows()
  fireEvent.keyDown(await link('title b'), {key: 'F2'})
  await screen.findByRole('textbox', {name: 'Title of the conversation'})
  act(() => actors.conversations.send({type: 'removals.left', keys: ['b']}))
  await waitFor(() => expect(screen.queryByRole('textbox', {name: 'Title of the conversation'})).toBeNull())
  expect(notices).toEqual(['chat.deletedElsewhere'])
})

test('a title that is edited stays in its field when the list becomes long', async () => {
  let read = () => undefined as void
  const reading = new Promise<void>((resolve) => {
    read = resolve
  })
  const many = Array.from({length: 201}, (_, index) => record(`k${index}`, {updatedAt: now - index}))
  const created = createChatActors({records: many, kept: many.slice(0, 3), reading: () => reading})
  const {chat} = createChat(created.actors)
  renderView(
    <InChat chat={chat}>
      <ConversationPanel location={location} groups={groups} />
    </InChat>,
  )
  const user = userEvent.setup()
  await focus('title k1')
  await user.keyboard('{F2}title ne')
  const field = screen.getByRole('textbox', {name: 'Title of the conversation'})
  await act(async () => read())
  await waitFor(() => expect(created.actors.conversations.getSnapshot().context.items).toHaveLength(201))
  expect(document.activeElement).toBe(field)
  await user.keyboard('w{Enter}')
  expect(document.activeElement).toBe(await link('title new'))
})
