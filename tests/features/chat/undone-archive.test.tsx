import {act, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, onTestFinished, test, vi} from 'vitest'
import {createActor} from 'xstate'
import {noticesMachine, type NoticesActor} from '#machines/notices/notices.machine.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {now, record} from './chat-fixture.tsx'
import {showPanel} from './conversation-panel-fixture.tsx'

/* An archived conversation that was on screen gives way to its neighbour, and comes back with Undo. */

const id = 'marks:a/archived'
const undo = {
  to: 'conversationChanges',
  event: {type: 'conversations.mark', changes: [{key: 'a', archived: false}]},
} as const
const again = {
  to: 'conversationChanges',
  event: {type: 'conversations.mark', changes: [{key: 'a', archived: true}]},
} as const

/** The open conversation is archived, and its notice offers to take that back; the address is that of `at`. */
async function archive(at: string) {
  const user = userEvent.setup()
  const records = [record('a'), record('b', {updatedAt: now - 60}), record('c', {updatedAt: now - 120})]
  const {actors, visited} = showPanel({records})
  const {conversations} = actors
  const notices = createActor(noticesMachine).start()
  stopAfterTest(notices)
  vi.spyOn(conversations.system, 'get').mockImplementation((name) => (name === 'notices' ? notices : undefined))
  act(() => conversations.send({type: 'service.changed', capabilities: ['marks']}))
  await screen.findByRole('link', {name: 'title a'})
  act(() => conversations.send({type: 'conversation.open', key: 'a'}))
  await user.click(screen.getByRole('button', {name: 'Actions for title a'}))
  await user.click(await screen.findByRole('menuitem', {name: 'Archive'}))
  await waitFor(() => expect(screen.queryByRole('link', {name: 'title a'})).toBeNull())
  act(() => notices.send({type: 'notice.show', notice: {id, kind: 'info', textId: 'chat.archiveDone', undo}}))
  history.replaceState(null, '', `/chatgpt/conversations/${at}`)
  onTestFinished(() => history.replaceState(null, '', '/'))
  /** As the part does that Undo asks, or that the server refused. */
  const comeBack = async () => {
    act(() => conversations.send({type: 'conversations.changed', changes: [{key: 'a', archived: false}]}))
    expect(await screen.findByRole('link', {name: 'title a'})).toBeVisible()
  }
  return {notices, comeBack, addresses: () => visited.map(({conversation}) => conversation)}
}
const press = (notices: NoticesActor) => act(() => notices.send({type: 'notice.act', id}))

test.each([
  ['leads back to it', 'b', ['b', 'a']],
  ['leaves the user who went on meanwhile', 'c', ['b']],
])('undo of archiving the open conversation %s', async (_, at, expected) => {
  const {notices, comeBack, addresses} = await archive(at)
  press(notices)
  await comeBack()
  expect(addresses()).toEqual(expected)
})

test('another notice about it, as well as other undos, leave the neighbour on screen, and the offer as it is', async () => {
  const {notices, addresses} = await archive('b')
  const labels = {...undo, event: {...undo.event, changes: [{key: 'a', labels: []}]}}
  act(() => notices.send({type: 'notice.show', notice: {id: 'labels', kind: 'info', textId: 'foo', undo: labels}}))
  act(() => notices.send({type: 'notice.act', id: 'labels'}))
  expect(addresses()).toEqual(['b'])
  press(notices)
  expect(addresses()).toEqual(['b', 'a'])
})

test.each([
  ['is refused', {type: 'notice.show', notice: {id, kind: 'error', textId: 'chat.markFailed', again}}],
  ['was sent away', {type: 'notice.dismiss', id}],
] as const)('an archiving that %s leads nowhere, nor does a later undo of the same', async (_, end) => {
  const {notices, comeBack, addresses} = await archive('b')
  act(() => notices.send(end))
  await comeBack()
  act(() => notices.send({type: 'notice.show', notice: {id, kind: 'info', textId: 'chat.archiveDone', undo}}))
  press(notices)
  expect(addresses()).toEqual(['b'])
})
