import {screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
import {LabelsDialog} from '#features/chat/list/labels-dialog.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors, record} from './chat-fixture.tsx'

test('the stored colours are read for a new label, not for each key', async () => {
  const {chat} = createChat(createChatActors({}).actors)
  const read = vi.spyOn(chat.labelColours, 'read')
  const props = {records: [record('a', {labels: ['f']})], labels: ['f'], onSave: vi.fn(), onClose: vi.fn()}
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
