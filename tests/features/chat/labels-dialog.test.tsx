import {act, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState} from 'react'
import {expect, test, vi} from 'vitest'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {Chat} from '#features/chat/chat.context.tsx'
import {labelsOf} from '#features/chat/list/labels.ts'
import {LabelsDialog} from '#features/chat/list/labels-dialog.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, record} from './chat-fixture.tsx'

test('the stored colours are read for a new label, not for each key', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const read = vi.spyOn(chat.labelColours, 'read')
  const records = [record('a', {labels: ['f']})]
  const ports = {onChange: vi.fn(), onOfferBack: vi.fn(), onMove: vi.fn(), onSave: vi.fn(), onClose: vi.fn()}
  const props = {records, all: records, labels: ['f'], ...ports}
  renderView(
    <InChat chat={chat}>
      <LabelsDialog {...props} />
    </InChat>,
  )
  const field = await screen.findByRole('textbox')
  const before = read.mock.calls.length
  await userEvent.type(field, 'new')
  expect(read).toHaveBeenCalledTimes(before)
  await userEvent.type(field, '{Enter}')
  expect(await screen.findByRole('checkbox', {name: 'new'})).toBeVisible()
  expect(read.mock.calls.length).toBeGreaterThan(before)
})

test.each([
  {labels: [], role: 'textbox', name: 'New label'},
  {labels: ['f', 'g'], role: 'checkbox', name: 'f'},
])(
  'the dialog of these labels gives the focus to its first $role, not to Save: $labels',
  async ({labels, role, name}) => {
    const {chat} = createChat(createChatActors({}).actors)
    const records = [record('a', {labels})]
    const ports = {onChange: vi.fn(), onOfferBack: vi.fn(), onMove: vi.fn(), onSave: vi.fn(), onClose: vi.fn()}
    renderView(
      <InChat chat={chat}>
        <LabelsDialog {...{records, all: records, labels}} {...ports} />
      </InChat>,
    )
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole(role, {name})))
  },
)

test('a renamed label takes its colour along, and a deleted one is forgotten', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  chat.labelColours.write([
    {label: 'f', colour: 3},
    {label: 'g', colour: 1},
  ])
  const all = [record('a', {labels: ['f', 'g']}), record('b', {labels: ['f']}), record('c', {})]
  const onChange = vi.fn()
  renderView(
    <InChat chat={chat}>
      <LabelsDialog
        records={[]}
        all={all}
        labels={['f', 'g']}
        onChange={onChange}
        onOfferBack={vi.fn()}
        onMove={vi.fn()}
        onSave={vi.fn()}
        onClose={vi.fn()}
      />
    </InChat>,
  )
  const row = (name: string) => within(screen.getByRole('listitem', {name}))
  await userEvent.click(
    await screen.findByRole('listitem', {name: 'f'}).then(() => row('f').getByRole('button', {name: 'Rename'})),
  )
  const field = screen.getByRole('textbox')
  await userEvent.clear(field)
  await userEvent.type(field, 'new{Enter}')
  expect(onChange.mock.lastCall).toEqual([
    [
      {key: 'a', labels: ['g', 'new']},
      {key: 'b', labels: ['new']},
    ],
    'chat.labelDone',
  ])
  expect(chat.labelColours.read()).toEqual([
    {label: 'new', colour: 3},
    {label: 'g', colour: 1},
  ])
  await userEvent.click(row('g').getByRole('button', {name: 'Delete'}))
  expect(onChange.mock.lastCall).toEqual([[{key: 'a', labels: ['f']}], undefined])
  expect(chat.labelColours.read()).toEqual([{label: 'new', colour: 3}])
})

/** A list that takes what the dialog changes, and what another tab does. */
function openDialog(chat: Chat, first: ConversationRecord[], chosen: string[] = []) {
  const onSave = vi.fn()
  const onOfferBack = vi.fn()
  const onChange = vi.fn()
  const tab: {put: (records: ConversationRecord[]) => void} = {put: () => {}}
  function List() {
    const [all, setAll] = useState(first)
    tab.put = setAll
    return (
      <LabelsDialog
        records={all.filter(({key}) => chosen.includes(key))}
        all={all}
        labels={labelsOf(all, 'en')}
        onChange={(changes, textId) => {
          onChange(textId)
          setAll(all.map((one) => ({...one, ...changes.find(({key}) => key === one.key)}) satisfies ConversationRecord))
        }}
        onOfferBack={onOfferBack}
        onMove={vi.fn()}
        onSave={onSave}
        onClose={vi.fn()}
      />
    )
  }
  renderView(
    <InChat chat={chat}>
      <List />
    </InChat>,
  )
  return {onSave, onOfferBack, onChange, tab}
}
const press = async (label: string, name: string) =>
  userEvent.click(within(await screen.findByRole('listitem', {name: label})).getByRole('button', {name}))
const typeName = async (name: string) => {
  const field = screen.getByRole('textbox', {name: 'Rename'})
  await userEvent.clear(field)
  await userEvent.type(field, `${name}{Enter}`)
}

test('a deletion is offered back once: by the dialog, and by a notice when that closes', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const {onChange, onOfferBack} = openDialog(chat, [record('a', {labels: ['f', 'g']}), record('b', {labels: ['f']})])
  await press('f', 'Delete')
  expect(screen.getAllByRole('button', {name: 'Undo'})).toHaveLength(1)
  expect(onChange.mock.lastCall).toEqual([undefined])
  expect(onOfferBack).not.toHaveBeenCalled()
  await userEvent.click(screen.getAllByRole('button', {name: 'Close'})[0] ?? document.body)
  expect(onOfferBack.mock.calls).toEqual([
    [
      [
        {key: 'a', labels: ['g', 'f']},
        {key: 'b', labels: ['f']},
      ],
      'chat.labelDeleted',
    ],
  ])
})

test('the dialog takes back one deletion after the other, and one notice all that are left when it closes', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const {onChange, onOfferBack} = openDialog(chat, [
    record('a', {labels: ['f', 'g', 'h']}),
    record('b', {labels: ['g']}),
  ])
  for (const label of ['f', 'g', 'h']) {
    await press(label, 'Delete')
    expect(document.activeElement).toBe(screen.getByRole('button', {name: 'Undo'}))
  }
  await userEvent.click(screen.getByRole('button', {name: 'Undo'}))
  expect(document.activeElement).toBe(
    within(screen.getByRole('listitem', {name: 'h'})).getByRole('button', {name: 'Rename'}),
  )
  expect(onChange.mock.lastCall).toEqual([undefined])
  expect(onOfferBack).not.toHaveBeenCalled()
  await userEvent.click(screen.getAllByRole('button', {name: 'Close'})[0] ?? document.body)
  expect(onOfferBack.mock.calls).toEqual([
    [
      [
        {key: 'a', labels: ['h', 'f', 'g']},
        {key: 'b', labels: ['g']},
      ],
      'chat.labelDeletedSeveral',
    ],
  ])
})

test('what is saved with a deletion stays when that is taken back', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const {onOfferBack} = openDialog(chat, [record('a', {labels: ['f']}), record('b', {labels: ['g']})], ['a'])
  await press('f', 'Delete')
  await userEvent.click(screen.getByRole('checkbox', {name: 'g'}))
  await userEvent.click(screen.getByRole('button', {name: 'Save'}))
  expect(onOfferBack.mock.calls).toEqual([[[{key: 'a', labels: ['g', 'f']}], 'chat.labelDeleted']])
})

test('a label that is taken back has its colour, and the focus', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  chat.labelColours.write([{label: 'f', colour: 3}])
  openDialog(chat, [record('a', {labels: ['f']})])
  await press('f', 'Delete')
  const undo = screen.getByRole('button', {name: 'Undo'})
  expect(document.activeElement).toBe(undo)
  expect(chat.labelColours.read()).toEqual([])
  await userEvent.click(undo)
  expect(document.activeElement).toBe(
    within(screen.getByRole('listitem', {name: 'f'})).getByRole('button', {name: 'Rename'}),
  )
  expect(chat.labelColours.read()).toEqual([{label: 'f', colour: 3}])
})

test('a label that is taken back has the focus where another one got its name meanwhile', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  openDialog(chat, [record('a', {labels: ['f', 'g']})])
  await press('f', 'Delete')
  await press('g', 'Rename')
  await typeName('f')
  await userEvent.click(screen.getByRole('button', {name: 'Undo'}))
  expect(document.activeElement).toBe(
    within(screen.getByRole('listitem', {name: 'f'})).getByRole('button', {name: 'Rename'}),
  )
})

test('a name that another tab takes while it is typed is told before two labels become one', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const {tab} = openDialog(chat, [record('a', {labels: ['f']}), record('b', {})])
  await press('f', 'Rename')
  await userEvent.clear(screen.getByRole('textbox', {name: 'Rename'}))
  await userEvent.type(screen.getByRole('textbox', {name: 'Rename'}), 'g')
  act(() => tab.put([record('a', {labels: ['f']}), record('b', {labels: ['g']})]))
  await userEvent.keyboard('{Enter}')
  expect(screen.getByText(/There is a label “.g.” already\./)).toBeVisible()
  expect(screen.getByRole('listitem', {name: 'g'})).toBeVisible()
  await userEvent.click(screen.getByRole('button', {name: 'Merge'}))
  expect(screen.getAllByRole('listitem').map((item) => item.getAttribute('aria-label'))).toEqual(['g'])
})

test('the field for a name stays and says so when another tab deletes the label, and ends with it', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const {tab} = openDialog(chat, [record('a', {labels: ['f', 'g']})])
  await press('f', 'Rename')
  const field = screen.getByRole('textbox', {name: 'Rename'})
  await userEvent.clear(field)
  await userEvent.type(field, 'typed')
  expect(screen.queryByText(/meanwhile/)).toBeNull()
  act(() => tab.put([record('a', {labels: ['g']})]))
  expect(screen.getByText(/The label “.f.” was deleted or renamed elsewhere meanwhile/)).toBeVisible()
  await userEvent.keyboard('{Enter}')
  expect(field).toHaveProperty('value', 'typed')
  // the other tab takes it back
  act(() => tab.put([record('a', {labels: ['f', 'g']})]))
  expect(screen.queryByText(/meanwhile/)).toBeNull()
  act(() => tab.put([record('a', {labels: ['g']})]))
  await userEvent.click(screen.getByRole('button', {name: 'Cancel'}))
  expect(screen.queryByRole('textbox')).toBeNull()
  await press('g', 'Rename')
  await typeName('h')
  expect(screen.getByRole('listitem', {name: 'h'})).toBeVisible()
})

test('a label that was taken off and then merged takes no other label off', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const {onSave} = openDialog(chat, [record('a', {labels: ['f', 'g']})], ['a'])
  await userEvent.click(await screen.findByRole('checkbox', {name: 'f'}))
  await press('f', 'Rename')
  await typeName('g')
  expect(screen.getByRole('checkbox', {name: 'g'})).toHaveProperty('checked', true)
  await userEvent.click(screen.getByRole('button', {name: 'Save'}))
  expect(onSave).toHaveBeenCalledWith([])
})

test('labels that a conversation has stand first, and stay there while they are taken off', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const records = [record('a', {labels: ['y', 'm']})]
  const ports = {onChange: vi.fn(), onOfferBack: vi.fn(), onMove: vi.fn(), onSave: vi.fn(), onClose: vi.fn()}
  renderView(
    <InChat chat={chat}>
      <LabelsDialog {...{records, all: records, labels: ['a', 'm', 'x', 'y']}} {...ports} />
    </InChat>,
  )
  const positions = () => {
    const boxes = screen.getAllByRole('checkbox')
    return ['m', 'y', 'a', 'x'].map((name) => boxes.indexOf(screen.getByRole('checkbox', {name})))
  }
  await screen.findByRole('checkbox', {name: 'y'})
  expect(positions()).toEqual([0, 1, 2, 3])
  await userEvent.click(screen.getByRole('checkbox', {name: 'm'}))
  await userEvent.click(screen.getByRole('checkbox', {name: 'x'}))
  expect(positions()).toEqual([0, 1, 2, 3])
})
