import {useActor} from '@xstate/react'
import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState} from 'react'
import {expect, test, vi} from 'vitest'
import {createChatApi} from '#api/chat.ts'
import {createInstructionsLogic} from '#app/chat/instructions-dialog.tsx'
import {KeptInstructions, NewInstructions} from '#features/chat/instructions-dialog.tsx'
import '#ui/overlays/dialog-overlay.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {createChat, InChat} from './chat-fixture.tsx'

/** A server with the instructions of one conversation. */
async function open(preset: string | undefined, {chat: ports, drafts} = createChat(undefined)) {
  const server = {preset, writes: [] as unknown[], refuses: false}
  const headers = () => ({authorization: 'Bearer credential'})
  const answer = (request: {action: string; preset?: string}) => {
    if (server.refuses) return Response.json({error: {code: 'busy', message: 'later'}}, {status: 500})
    if (request.action === 'update') {
      server.writes.push(request)
      server.preset = request.preset
    }
    return Response.json({id: 'c-1', messages: [], ...(server.preset === undefined ? {} : {preset: server.preset})})
  }
  const chat = createChatApi({
    baseUrl: 'https://api.example',
    log: () => undefined,
    headers,
    // as: the client sends JSON text
    fetch: async (_, init) => answer(JSON.parse(init?.body as string) as {action: string; preset?: string}),
  })
  const onClose = vi.fn()
  function View() {
    const [logic] = useState(() => createInstructionsLogic(chat))
    const [snapshot, send] = useActor(logic, {input: {conversation: 'c-1'}})
    return <KeptInstructions conversation="c-1" snapshot={snapshot} send={send} onClose={onClose} />
  }
  const {unmount} = await act(async () =>
    renderView(
      <InChat chat={ports}>
        <View />
      </InChat>,
    ),
  )
  return {server, drafts, unmount, user: userEvent.setup()}
}

const field = async () => {
  const box = await screen.findByRole('textbox', {name: 'Instructions for this conversation'}, {timeout: 10_000})
  await waitFor(() => expect(box).toHaveProperty('readOnly', false))
  return box
}

test('are read, changed and removed', async () => {
  const {server, user} = await open('Be brief.')
  expect(await field()).toHaveProperty('value', 'Be brief.')
  await user.clear(await field())
  await user.type(await field(), ' Be kind. ')
  await user.click(screen.getByRole('button', {name: 'Save'}))
  await waitFor(() => expect(server.writes).toEqual([{action: 'update', id: 'c-1', preset: 'Be kind.'}]))
})

test('are removed by one press; without any there is nothing to remove', async () => {
  const {server, user} = await open('Be brief.')
  await field()
  await user.click(screen.getByRole('button', {name: 'Remove'}))
  await waitFor(() => expect(server.writes).toEqual([{action: 'update', id: 'c-1', preset: ''}]))
})

test('what cannot be read is read again; what cannot be saved stays in the field', async () => {
  const {server, user} = await open(undefined)
  await field()
  await user.type(await field(), 'Be brief.')
  server.refuses = true
  await user.click(screen.getByRole('button', {name: 'Save'}))
  expect((await screen.findByRole('alert')).textContent).toContain("weren't saved")
  expect(await field()).toHaveProperty('value', 'Be brief.')
  server.refuses = false
  await user.click(screen.getByRole('button', {name: 'Save'}))
  await waitFor(() => expect(server.writes).toHaveLength(1))
})

test('what another page wrote meanwhile is shown before it is replaced, or taken', async () => {
  const {server, user} = await open('Be brief.')
  await user.type(await field(), ' And kind.')
  server.preset = 'Be long.'
  await user.click(screen.getByRole('button', {name: 'Save'}))
  expect((await screen.findByRole('alert')).textContent).toContain('Be long.')
  expect(server.writes).toEqual([])
  await user.click(screen.getByRole('button', {name: 'Use that text'}))
  expect(await field()).toHaveProperty('value', 'Be long.')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('button', {name: 'Save'})).toHaveProperty('disabled', true)
})

test('those of the next new conversation are kept with the drafts', async () => {
  const {chat, drafts} = createChat(undefined)
  const onClose = vi.fn()
  await act(async () =>
    renderView(
      <InChat chat={chat}>
        <NewInstructions group="grok" onClose={onClose} />
      </InChat>,
    ),
  )
  const user = userEvent.setup()
  await user.type(await field(), 'Be brief.')
  await user.click(screen.getByRole('button', {name: 'Save'}))
  expect([...drafts]).toEqual([['instructions/grok', {text: 'Be brief.', references: []}]])
  expect(onClose).toHaveBeenCalledOnce()
})

test('what was typed and not saved is there again, also over a text that was saved elsewhere meanwhile', async () => {
  const ports = createChat(undefined)
  const first = await open('Be brief.', ports)
  await first.user.type(await field(), ' And kind.')
  await first.user.click(screen.getByRole('button', {name: 'Cancel'}))
  first.unmount()

  const again = await open('Be brief.', ports)
  expect(await field()).toHaveProperty('value', 'Be brief. And kind.')
  expect(screen.queryByRole('alert')).toBeNull()
  again.unmount()

  const {user} = await open('Be long.', ports)
  expect(await field()).toHaveProperty('value', 'Be brief. And kind.')
  expect((await screen.findByRole('alert')).textContent).toContain('Be long.')
  await user.click(screen.getByRole('button', {name: 'Use that text'}))
  expect(await field()).toHaveProperty('value', 'Be long.')
  expect(ports.drafts.size).toBe(0)
})

test('a text that is too long stays whole, says by how much, and is not saved', async () => {
  const {server, user} = await open('Be brief.')
  const box = await field()
  fireEvent.change(box, {target: {value: 'a'.repeat(20_003)}})
  expect(box).not.toHaveProperty('maxLength', 20_000)
  expect(screen.getByRole('alert').textContent).toBe('Too long by 3 characters. At most 20,000 can be saved.')
  expect(screen.getByRole('button', {name: 'Save'})).toHaveProperty('disabled', true)
  fireEvent.change(box, {target: {value: 'a'.repeat(20_000)}})
  expect(screen.queryByRole('alert')).toBe(null)
  await user.click(screen.getByRole('button', {name: 'Save'}))
  await waitFor(() => expect(server.writes).toHaveLength(1))
})
