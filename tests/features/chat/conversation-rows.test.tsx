import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import type {ConversationRecord} from '#domain/conversation.ts'
import {ConversationPanel} from '#features/chat/conversation-panel.tsx'
import {labelColours, withColours} from '#features/chat/list/labels.ts'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, now, record} from './chat-fixture.tsx'

const place = {group: 'chatgpt', conversation: undefined} as const
const groups = ['chatgpt'] as const
const link = (title: string) => screen.findByRole('link', {name: title})
const focus = async (title: string) => {
  const found = await link(title)
  act(() => found.focus())
}
const titles = () => screen.getAllByRole('link', {name: /^title/}).map(({textContent}) => textContent)

async function showRows(
  labels: Record<string, string[]> = {},
  given: Record<string, Partial<ConversationRecord>> = {},
  refusal: () => object | undefined = () => undefined,
) {
  const records = ['a', 'b', 'c'].map((key, index) =>
    record(key, {updatedAt: now - index, labels: labels[key] ?? [], ...given[key]}),
  )
  const created = createChatActors({records, refusal})
  const {chat, notices} = createChat(created.actors)
  renderView(
    <InChat chat={chat}>
      <ConversationPanel place={place} groups={groups} />
    </InChat>,
  )
  await link('title a')
  /** A question in another tab, which puts its conversation first. */
  const askIn = (key: string) => {
    act(() => created.actors.conversations.send({type: 'conversation.open', key}))
    const actor = created.actors.conversations.getSnapshot().children[`conversation/${key}`]
    act(() => actor?.send({type: 'prompt.submit', question: 'foo', references: [], key: 'k', at: now + 60}))
  }
  return {...created, chat, notices, records, askIn}
}

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

test('labels have different colours as long as there are some', async () => {
  // the names alone give the first and the last of these one colour
  await showRows({a: ['a', 'b'], b: ['f'], c: ['c', 'd']})
  const colours = ['a, b', 'f', 'c, d'].flatMap((name) =>
    [...screen.getByRole('img', {name}).children].map((dot) => dot.getAttribute('style')),
  )
  expect([colours.length, new Set(colours).size]).toEqual([5, 5])
})

test('more labels than colours have one each', () => {
  const names = Array.from({length: 12}, (_, index) => `label ${index}`)
  const colours = labelColours(names, [])
  expect([...colours.keys()].toSorted()).toEqual(names.toSorted())
  expect(new Set(colours.values()).size).toBe(5)
  expect(labelColours(names.toReversed(), [])).toEqual(colours)
})

test('a label keeps its colour when a new one sorts before it, or another one goes', async () => {
  const {chat, actors} = await showRows({a: ['f']})
  const dots = (name: string) => [...screen.getByRole('img', {name}).children].map((dot) => dot.getAttribute('style'))
  const [colour] = dots('f')
  // by its name alone `a` has the colour of `f`, and sorts first
  expect(labelColours(['a'], [])).toEqual(new Map([['a', labelColours(['f'], []).get('f')]]))
  act(() => actors.conversations.send({type: 'conversations.changed', changes: [{key: 'b', labels: ['a']}]}))
  await screen.findByRole('img', {name: 'a'})
  expect(dots('f')).toEqual([colour])
  const [other] = dots('a')
  expect(other).not.toBe(colour)
  act(() => actors.conversations.send({type: 'conversations.changed', changes: [{key: 'a', labels: []}]}))
  await waitFor(() => expect(screen.queryByRole('img', {name: 'f'})).toBeNull())
  expect(dots('a')).toEqual([other])
  expect(chat.labelColours.read().map(({label}) => label)).toEqual(['f', 'a'])
})

test('a new label leaves the colour of one that is gone, until all colours are taken', () => {
  // by their names alone `a` and `f` have one colour
  const gone = withColours([], ['f'])
  const stored = withColours(gone, ['a'])
  expect(new Set(labelColours(['a', 'f'], stored).values()).size).toBe(2)
  const full = withColours([], ['a', 'b', 'c', 'd', 'f'])
  const shown = labelColours(['a', 'b', 'new'], withColours(full, ['a', 'b', 'new']))
  expect(new Set(shown.values()).size).toBe(3)
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

test('a conversation whose deletion is undone returns to its place, also under the pointer', async () => {
  const {actors} = await showRows()
  const user = userEvent.setup()
  act(() => actors.conversations.send({type: 'conversations.remove', keys: ['a']}))
  await waitFor(() => expect(titles()).toEqual(['title b', 'title c']))
  await user.hover(await link('title b'))
  act(() => actors.conversations.send({type: 'conversations.restore', keys: ['a']}))
  await waitFor(() => expect(titles()).toEqual(['title a', 'title b', 'title c']))
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

/** Opens the labels of the first two conversations. */
async function labelTwo() {
  const user = userEvent.setup()
  await focus('title a')
  await user.keyboard(' ')
  await user.click(screen.getByRole('checkbox', {name: 'Select title b'}))
  await user.click(await screen.findByRole('button', {name: 'Labels…'}))
  await screen.findByRole('dialog')
}

test('the labels of several conversations close with a notice once another tab has deleted all of them', async () => {
  const {actors, notices} = await showRows()
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  await labelTwo()
  act(() => actors.conversations.send({type: 'conversations.removed', keys: ['a']}))
  expect(screen.getByRole('dialog')).toBeVisible()
  expect(notices).toEqual([])
  act(() => actors.conversations.send({type: 'conversations.removed', keys: ['b']}))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(notices).toEqual(['chat.severalDeletedElsewhere'])
})

test('a title whose conversation is deleted by a tab that closes goes with a notice, too', async () => {
  const {actors, notices} = await showRows()
  fireEvent.keyDown(await link('title b'), {key: 'F2'})
  await screen.findByRole('textbox', {name: 'Title of the conversation'})
  act(() => actors.conversations.send({type: 'removals.left', keys: ['b']}))
  await waitFor(() => expect(screen.queryByRole('textbox', {name: 'Title of the conversation'})).toBeNull())
  expect(notices).toEqual(['chat.deletedElsewhere'])
})

test('labels of conversations that are not listed any more close, and stay so when they are again', async () => {
  let failure: object | undefined
  const ours = {messages: [{role: 'user' as const, content: 'foo', unsent: true}]}
  const {actors, notices} = await showRows({}, {c: ours}, () => failure)
  act(() => actors.conversations.send({type: 'service.changed', capabilities: ['marks']}))
  await labelTwo()
  const boxes = () => screen.getAllByRole('checkbox', {name: /^Select/, hidden: true})
  failure = {code: 'forbidden', detail: 'foo', status: 403}
  act(() => actors.conversations.send({type: 'conversations.refresh'}))
  await waitFor(() => expect(boxes()).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  failure = undefined
  act(() => actors.conversations.send({type: 'conversations.refresh'}))
  await waitFor(() => expect(boxes()).toHaveLength(3))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(notices).toEqual([])
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
      <ConversationPanel place={place} groups={groups} />
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
