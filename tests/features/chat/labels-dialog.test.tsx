import {screen, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {LabelsDialog} from '#features/chat/list/labels-dialog.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, record} from './chat-fixture.tsx'

test('the stored colours are read for a new label, not for each key', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const read = vi.spyOn(chat.labelColours, 'read')
  const records = [record('a', {labels: ['f']})]
  const ports = {onChange: vi.fn(), onMove: vi.fn(), onSave: vi.fn(), onClose: vi.fn()}
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
  expect(await screen.findByRole('checkbox', {name: 'new'})).toBeDefined()
  expect(read.mock.calls.length).toBeGreaterThan(before)
})

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
  expect(onChange.mock.lastCall).toEqual([[{key: 'a', labels: ['f']}], 'chat.labelDeleted'])
  expect(chat.labelColours.read()).toEqual([{label: 'new', colour: 3}])
})
