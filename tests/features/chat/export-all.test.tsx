import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import {expect, test} from 'vitest'
import {createActor} from 'xstate'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import {ConversationPanel} from '#features/chat/conversation-panel.tsx'
import {ExportAll} from '#features/chat/list/export-all.tsx'
import {conversationExportMachine} from '#machines/conversation-export/conversation-export.machine.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {renderView} from '#tests/ui/render.tsx'
import {createChat, createChatActors, InChat, record} from './chat-fixture.tsx'
// loaded beforehand, so that a busy machine does not wait for it inside a test
import '#ui/overlays/menu-overlay.tsx'
import '#ui/overlays/dialog-overlay.tsx'

const startExport: ChatPorts['startExport'] = async (records) => {
  const input = {form: 'markdown' as const, hasAttachments: false, conversations: records.map(({key}) => key)}
  const actor = createActor(conversationExportMachine, {input}).start()
  stopAfterTest(actor)
  return actor
}

/** The list and the settings' button of a user whose list can be held while it is read. */
function show(options: Parameters<typeof createChatActors>[0]) {
  const {actors} = createChatActors({records: [record('a'), record('b')], ...options})
  renderView(
    <InChat chat={{...createChat(actors).chat, startExport}}>
      <ConversationPanel location={{group: 'chatgpt', conversation: undefined}} groups={['chatgpt']} />
      <ExportAll conversations={actors.conversations} />
    </InChat>,
  )
  return actors.conversations
}

const item = () => screen.findByRole('menuitem', {name: 'Export all…'})
const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true'

test('all conversations are exported once the list is read, from the menu of the list and from the settings', async () => {
  let release = () => {}
  const opened = new Promise<void>((resolve) => {
    release = resolve
  })
  show({reading: () => opened, isKept: true})
  const button = await screen.findByRole('button', {name: 'Export all…'})
  expect(isOff(button)).toBe(true)
  fireEvent.click(await screen.findByRole('button', {name: 'Options of the list'}))
  expect(isOff(await item())).toBe(true)
  await act(async () => release())
  await waitFor(async () => expect(isOff(await item())).toBe(false))
  fireEvent.click(await item())
  expect(await screen.findByRole('dialog', {name: 'Export 2 conversations'})).toBeVisible()
  expect(screen.queryByText(/couldn't all be loaded/)).toBe(null)
})

test.each(['menu', 'settings'])(
  'a list that could not be read whole is exported with a word about it (%s)',
  async (from) => {
    const list = show({isCutOff: true})
    await waitFor(() => expect(list.getSnapshot().value).toBe('error'))
    if (from === 'menu') fireEvent.click(await screen.findByRole('button', {name: 'Options of the list'}))
    fireEvent.click(from === 'menu' ? await item() : await screen.findByRole('button', {name: 'Export all…'}))
    expect(await screen.findByRole('dialog', {name: 'Export 2 conversations'})).toBeVisible()
    const said = "Your conversations couldn't all be loaded; the file will have only those on this device."
    expect(screen.getByText(said)).toBeVisible()
  },
)

test('an export whose view is gone before its part is loaded leaves none behind', async () => {
  const {actors} = createChatActors({records: [record('a')]})
  let load = () => {}
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  const started: Awaited<ReturnType<ChatPorts['startExport']>>[] = []
  const slowStart: ChatPorts['startExport'] = async (...order) => {
    await loaded
    const actor = await startExport(...order)
    started.push(actor)
    return actor
  }
  const {unmount} = renderView(
    <InChat chat={{...createChat(actors).chat, startExport: slowStart}}>
      <ExportAll conversations={actors.conversations} />
    </InChat>,
  )
  const button = await screen.findByRole('button', {name: 'Export all…'})
  await waitFor(() => expect(isOff(button)).toBe(false))
  fireEvent.click(button)
  unmount()
  await act(async () => load())
  await waitFor(() => expect(started.map((actor) => actor.getSnapshot().status)).toEqual(['done']))
})
