import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, onTestFinished, test} from 'vitest'
import {offered} from '#browser/commands.ts'
import {takeTypedAhead, waitForField} from '#browser/typed-ahead.ts'
import {wantedInList} from '#features/chat/list/list-request.ts'
import {record} from './chat-fixture.tsx'
import {showPanel} from './conversation-panel-fixture.tsx'

/* A filter and a search leave few conversations of the list. */

test('a filter by a label follows its new name, and the old one when that is taken back', async () => {
  const user = userEvent.setup()
  const {actors} = showPanel({records: [record('a', {labels: ['f']}), record('b')]})
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  await screen.findByRole('link', {name: 'title b'})
  await user.click(await screen.findByRole('button', {name: 'Options of the list'}))
  await user.click(await screen.findByRole('menuitemradio', {name: 'f'}))
  expect(screen.queryByRole('link', {name: 'title b'})).toBeNull()
  await user.click(screen.getByRole('button', {name: 'Labels…'}))
  await user.click(within(await screen.findByRole('listitem', {name: 'f'})).getByRole('button', {name: 'Rename'}))
  const field = screen.getByRole('textbox', {name: 'Rename'})
  await user.clear(field)
  await user.type(field, 'g{Enter}')
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('link', {name: 'title a'})).toBeVisible()
  // as its notice does
  act(() => actors.conversations.send({type: 'conversations.changed', changes: [{key: 'a', labels: ['f']}]}))
  expect(screen.getByRole('link', {name: 'title a'})).toBeVisible()
  expect(screen.queryByText('No conversation has this label.')).toBeNull()
  expect(screen.queryByRole('link', {name: 'title b'})).toBeNull()
})

test('a search shows where its words stand, with the arrows among them; a broken one can be tried again; Escape brings the list back', async () => {
  const said = [{role: 'user' as const, content: 'Where is the Käse?', id: 'm1'}]
  const records = [record('a', {messages: said, title: 'Cheese'}), record('b', {model: 'grok-4', messages: said})]
  const {followed, breakSearch} = showPanel({records})
  const field = await screen.findByRole('searchbox', {name: 'Search conversations'})
  fireEvent.change(field, {target: {value: 'kase'}})
  const results = within(await screen.findByRole('list', {name: 'Search results'}))
  await waitFor(() => expect(results.getAllByRole('link')).toHaveLength(2))
  expect(screen.getByRole('status').textContent).toBe('2 conversations found')
  const [first, second] = results.getAllByRole('link')
  expect(first?.querySelector('mark')?.textContent).toBe('Käse')
  expect(second?.textContent).toContain('Grok')
  expect(second?.getAttribute('href')).toBe('/grok/conversations/b#m1')
  field.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(first)
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(second)
  await userEvent.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(first)
  if (second !== undefined) fireEvent.click(second)
  expect(followed).toEqual(['/grok/conversations/b#m1'])

  fireEvent.change(field, {target: {value: 'nowhere'}})
  expect(await screen.findByText('Nothing found.')).toBeVisible()
  breakSearch()
  fireEvent.change(field, {target: {value: 'kase'}})
  fireEvent.click(await screen.findByRole('button', {name: 'Retry'}))
  expect(await screen.findByText('2 conversations found')).toBeVisible()
  fireEvent.keyDown(field, {key: 'Escape'})
  expect(await screen.findByRole('heading', {name: 'Today'})).toBeVisible()
})

test('a search finds no message that the user deleted, whatever the server knows of it', async () => {
  const messages = [
    {role: 'user' as const, content: 'Where is the pelican?', id: 'm1', removing: true},
    {role: 'assistant' as const, content: 'At the harbour.', id: 'm2'},
  ]
  showPanel({records: [record('a', {messages, title: 'Birds'})]})
  const field = await screen.findByRole('searchbox', {name: 'Search conversations'})
  fireEvent.change(field, {target: {value: 'harbour'}})
  expect(await screen.findByRole('link', {name: /At the harbour/})).toBeVisible()
  fireEvent.change(field, {target: {value: 'pelican'}})
  expect(await screen.findByText('Nothing found.')).toBeVisible()
})

test('a search reads answers as they are shown, without marks and thoughts', async () => {
  const content = '<think>a secret</think>Say 你**好**世界 to `them`'
  const messages = [{role: 'assistant' as const, content, id: 'm1'}]
  showPanel({records: [record('a', {messages, title: 'Greeting'})]})
  const field = await screen.findByRole('searchbox', {name: 'Search conversations'})
  fireEvent.change(field, {target: {value: '你好世界'}})
  const result = await screen.findByRole('link', {name: /Say 你好世界 to them/})
  expect(result.querySelector('mark')?.textContent).toBe('你好世界')
  expect(result.textContent).not.toMatch(/secret|[*<`]/)
})

test('a list that its drawer took away comes back with its search, and without one with its filter and where it was scrolled to', async () => {
  const user = userEvent.setup()
  const said = [{role: 'user' as const, content: 'Where is the cheese?', id: 'm1'}]
  const {actors, closeAndOpen} = showPanel({records: [record('a', {labels: ['f'], messages: said}), record('b')]})
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  await user.click(await screen.findByRole('button', {name: 'Options of the list'}))
  await user.click(await screen.findByRole('menuitemradio', {name: 'f'}))
  const searchField = () => screen.findByRole('searchbox', {name: 'Search conversations'})
  fireEvent.change(await searchField(), {target: {value: 'cheese'}})
  expect(await screen.findByText('1 conversation found')).toBeVisible()
  closeAndOpen()
  expect(await searchField()).toHaveProperty('value', 'cheese')
  expect(await screen.findByText('1 conversation found')).toBeVisible()
  fireEvent.change(await searchField(), {target: {value: ''}})
  await screen.findByRole('link', {name: 'title a'})
  expect(screen.queryByRole('link', {name: 'title b'})).toBeNull()

  const scroller = () => screen.getByRole('link', {name: 'title a'}).closest('[class*=scroller]')
  const element = scroller()
  if (element === null) throw new Error('Nothing scrolls')
  element.scrollTop = 120
  fireEvent.scroll(element)
  closeAndOpen()
  await screen.findByRole('link', {name: 'title a'})
  expect(screen.queryByRole('link', {name: 'title b'})).toBeNull()
  expect(scroller()).toHaveProperty('scrollTop', 120)
})

test('the search has the words that were typed before its field was there, behind those in it', async () => {
  onTestFinished(() => void takeTypedAhead())
  const {actors} = showPanel({records: [record('a')]})
  waitForField()
  for (const key of ['t', 'e']) fireEvent.keyDown(document.body, {key})
  wantedInList.set({kind: 'search', conversations: actors.conversations})
  const field = await screen.findByRole('searchbox', {name: 'Search conversations'})
  await waitFor(() => expect(field).toHaveProperty('value', 'te'))
  expect(document.activeElement).toBe(field)
  await act(async () => {
    waitForField()
    fireEvent.keyDown(field, {key: 'a'})
    offered('searchList')?.()
  })
  expect(field).toHaveProperty('value', 'tea')
  // the field takes its keys itself again
  expect(fireEvent.keyDown(field, {key: 'b'})).toBe(true)
})

test('the archive is shown for another part of the page: without the search, the focus on its first conversation', async () => {
  const {actors} = showPanel({records: [record('a', {archived: true}), record('b')]})
  const field = await screen.findByRole('searchbox', {name: 'Search conversations'})
  fireEvent.change(field, {target: {value: 'title b'}})
  act(() => wantedInList.set({kind: 'archive', conversations: actors.conversations}))
  const link = await screen.findByRole('link', {name: 'title a'})
  await waitFor(() => expect(document.activeElement).toBe(link))
  expect(field).toHaveProperty('value', '')
  expect(screen.queryByRole('link', {name: 'title b'})).toBeNull()
  expect(wantedInList.get()).toBeUndefined()
})

test('an empty archive gives the focus to the way back to all conversations', async () => {
  const {actors} = showPanel({records: [record('b')]})
  // before the list is there
  wantedInList.set({kind: 'archive', conversations: actors.conversations})
  expect(await screen.findByText('Nothing is archived.')).toBeVisible()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', {name: 'All conversations'})))
})
