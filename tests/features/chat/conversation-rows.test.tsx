import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, onTestFinished, test, vi} from 'vitest'
import {offerCommands} from '#browser/commands.ts'
import {now, record} from './chat-fixture.tsx'
import {link, focus, titles, showRows} from './rows-fixture.tsx'

test('Tab stops once in the list, at the active row or the one that had the focus; the arrows go on from there', async () => {
  const {actors} = await showRows()
  const stops = () =>
    screen.getAllByRole('link', {name: /^title/}).map((each) => (each.tabIndex === 0 ? each.textContent : ''))
  expect(stops()).toEqual(['title a', '', ''])
  act(() => actors.conversations.send({type: 'conversation.open', key: 'b'}))
  await waitFor(() => expect(stops()).toEqual(['', 'title b', '']))
  const user = userEvent.setup()
  await focus('title b')
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(await link('title c'))
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(await link('title c'))
  expect(stops()).toEqual(['', '', 'title c'])
  await user.keyboard('{Home}')
  await waitFor(async () => expect(document.activeElement).toBe(await link('title a')))
  await user.keyboard('{End}')
  await waitFor(async () => expect(document.activeElement).toBe(await link('title c')))
  await user.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(await link('title b'))
  expect(screen.getAllByRole('button', {name: /^Actions for/}).filter(({tabIndex}) => tabIndex === 0)).toHaveLength(1)
})

test('a row that is pinned from its menu keeps the focus', async () => {
  const {actors} = await showRows()
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  const user = userEvent.setup()
  for (const name of ['Pin', 'Unpin']) {
    const menu = screen.getByRole('button', {name: 'Actions for title b'})
    act(() => menu.focus())
    await user.keyboard('{Enter}')
    const entry = await screen.findByRole('menuitem', {name})
    act(() => entry.focus())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(titles()[0]).toBe(name === 'Pin' ? 'title b' : 'title a'))
    await waitFor(() => expect(document.activeElement?.closest('li')?.textContent).toBe('title b'))
  }
})

test.each([
  ['its menu', 'Archive'],
  ['its question', 'Delete'],
])('a row that leaves by its menu gives the focus to its neighbour, the last one by %s to the field', async (_, by) => {
  const {actors} = await showRows()
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  const focusField = vi.fn()
  onTestFinished(offerCommands({focusField}))
  const user = userEvent.setup()
  const archive = async (title: string) => {
    act(() => screen.getByRole('button', {name: `Actions for ${title}`}).focus())
    await user.keyboard('{Enter}')
    const entry = await screen.findByRole('menuitem', {name: 'Archive'})
    act(() => entry.focus())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('link', {name: title})).toBeNull())
  }
  await archive('title b')
  await waitFor(async () => expect(document.activeElement).toBe(await link('title c')))
  await archive('title c')
  await waitFor(async () => expect(document.activeElement).toBe(await link('title a')))
  expect(focusField).not.toHaveBeenCalled()
  if (by === 'Archive') await archive('title a')
  else await user.keyboard('{Delete}{Enter}')
  await screen.findByText('All of these conversations are in the archive.')
  await waitFor(() => expect(focusField).toHaveBeenCalledTimes(1))
})

test.each([
  ['End selection', ['title a', 'title b', 'title c'], 'title b'],
  ['Delete', ['title a', 'title c'], 'title c'],
  ['Archive', ['title a', 'title c'], 'title c'],
])('chosen rows left by %s, by keyboard, give the focus to a row', async (name, left, focused) => {
  const {actors} = await showRows()
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  const user = userEvent.setup()
  await focus('title b')
  await user.keyboard(' ')
  const button = await screen.findByRole('button', {name})
  act(() => button.focus())
  await user.keyboard('{Enter}')
  // its question has the focus
  if (name === 'Delete') await user.keyboard('{Enter}')
  await waitFor(() => expect(titles()).toEqual(left))
  expect(document.activeElement).toBe(await link(focused))
})

test('several conversations are deleted once that is confirmed; refused, nothing happens and the focus goes back', async () => {
  const {actors} = await showRows()
  const user = userEvent.setup()
  const removing = () => actors.conversations.getSnapshot().context.removing
  await focus('title b')
  await user.keyboard(' ')
  await user.click(screen.getByRole('checkbox', {name: 'Select title c'}))
  const press = async (name: string) => user.click(await screen.findByRole('button', {name}))
  for (const leave of [() => user.keyboard('{Escape}'), () => press('Cancel')]) {
    await press('Delete')
    expect(screen.getByRole('alert').textContent).toBe('Delete 2 conversations?')
    expect(document.activeElement).toBe(screen.getByRole('button', {name: 'Delete'}))
    await leave()
    expect(screen.queryByRole('alert')).toBe(null)
    expect(document.activeElement).toBe(screen.getByRole('button', {name: 'Delete'}))
  }
  expect(removing()).toEqual([])
  await press('Delete')
  await press('Delete')
  expect(removing()).toEqual(['b', 'c'])
  expect(document.activeElement).toBe(await link('title a'))
})

test('no row moves under the pointer or while its title is edited; the order is right afterwards', async () => {
  const {askIn} = await showRows()
  const user = userEvent.setup()
  await user.hover(await link('title a'))
  askIn('c')
  expect(titles()).toEqual(['title a', 'title b', 'title c'])
  await user.unhover(await link('title a'))
  await waitFor(() => expect(titles()).toEqual(['title c', 'title a', 'title b']))

  fireEvent.keyDown(await link('title a'), {key: 'F2'})
  const field = await screen.findByRole('textbox', {name: 'Title of the conversation'})
  await user.clear(field)
  await user.type(field, 'title half')
  askIn('b')
  expect(document.activeElement).toBe(field)
  await user.type(field, ' way{Enter}')
  await link('title half way')
  act(() => (document.activeElement as HTMLElement).blur()) // as: it is a link
  await waitFor(() => expect(titles()[0]).toBe('title b'))
})

test('a conversation that was begun elsewhere moves no row under the pointer either', async () => {
  const {actors, records} = await showRows()
  const user = userEvent.setup()
  await user.hover(await link('title a'))
  records.push(record('d', {updatedAt: now + 60}))
  act(() => actors.conversations.send({type: 'conversations.refresh'}))
  await waitFor(() => expect(titles()).toEqual(['title a', 'title b', 'title c', 'title d']))
  await user.unhover(await link('title a'))
  await waitFor(() => expect(titles()).toEqual(['title d', 'title a', 'title b', 'title c']))
})

test('a conversation whose deletion is undone returns to its position, also under the pointer', async () => {
  const {actors} = await showRows()
  const user = userEvent.setup()
  act(() => actors.conversations.send({type: 'conversations.remove', keys: ['a']}))
  await waitFor(() => expect(titles()).toEqual(['title b', 'title c']))
  await user.hover(await link('title b'))
  act(() => actors.conversations.send({type: 'conversations.restore', keys: ['a']}))
  await waitFor(() => expect(titles()).toEqual(['title a', 'title b', 'title c']))
})

test('a list whose conversations are all archived says so and leads to them', async () => {
  const {actors} = await showRows()
  const changes = ['a', 'b', 'c'].map((key) => ({key, archived: true}))
  act(() => actors.conversations.send({type: 'conversations.changed', changes}))
  await screen.findByText('All of these conversations are in the archive.')
  expect(screen.queryByText('Your conversations will be listed here.')).toBeNull()
  fireEvent.click(screen.getByRole('button', {name: 'Show the archive'}))
  await waitFor(() => expect(titles()).toEqual(['title a', 'title b', 'title c']))
})
