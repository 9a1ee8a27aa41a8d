import {act, screen, waitFor} from '@testing-library/react'
import {NEVER} from 'rxjs'
import {expect, onTestFinished, test, vi} from 'vitest'
import {createActor, fromEventObservable, fromPromise, waitFor as waitForActor} from 'xstate'
import {useMessageChanges} from '#features/chat/use-message-changes.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {messageChangesMachine} from '#machines/message-changes/message-changes.machine.ts'
import type {MessageChange, MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'
import {renderView} from '#tests/ui/render.tsx'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {createChat, createChatActors, InChat, record} from './chat-fixture.tsx'

/** Changes of a conversation. They break when a message is deleted; a change answers with a branch. */
const startChanges = () =>
  stopAfterTest(
    createActor(
      messageChangesMachine.provide({
        actors: {
          changeConversation: fromPromise<string | undefined, MessageChange | undefined>(async () => 'branch-id'),
          followConversation: fromEventObservable<MessageChangesEvent, undefined>(() => NEVER),
        },
        actions: {
          mark: () => {
            throw new Error('foo')
          },
        },
      }),
      {input: {unconfirmed: []}},
    ).start(),
  )

function Use({actor}: {actor: ConversationActor}) {
  const changes = useMessageChanges(actor, 'chatgpt')
  return <p role="status">{changes === undefined ? 'none' : changes.sessionId}</p>
}

/** A view that uses the changes of a conversation. `opened`: the actors that it was given, in order. */
async function show(open: () => ReturnType<typeof startChanges> | undefined = startChanges) {
  const {actors} = createChatActors({records: [record('a', {messages: [{role: 'user', content: 'foo', id: 'q'}]})]})
  const {conversations} = actors
  conversations.send({type: 'service.changed', capabilities: ['versions']})
  conversations.send({type: 'conversation.open', key: 'a'})
  await waitForActor(conversations, (snapshot) => selectConversation(snapshot, 'a') !== undefined)
  const actor = selectConversation(conversations.getSnapshot(), 'a')
  if (actor === undefined) throw new Error('The conversation is not open')
  const {chat} = createChat(actors)
  const opened: ReturnType<typeof startChanges>[] = []
  const go = vi.spyOn(chat.navigation, 'go').mockImplementation(() => undefined)
  onTestFinished(() => go.mockRestore())
  const openChanges = vi.fn(async () => {
    const changes = open()
    if (changes !== undefined) opened.push(changes)
    return changes
  })
  const ports = {...chat, openChanges}
  const {unmount} = renderView(
    <InChat chat={ports}>
      <Use actor={actor} />
    </InChat>,
  )
  return {opened, openChanges, unmount, go, shown: () => screen.getByRole('status').textContent}
}

const viewsOf = (changes: ReturnType<typeof startChanges> | undefined) => changes?.getSnapshot().context.views

test('a view holds the changes of its conversation while it is there', async () => {
  const {opened, shown, unmount} = await show()
  await waitFor(() => expect([shown(), viewsOf(opened.at(-1))]).toEqual([opened.at(-1)?.sessionId, 1]))
  unmount()
  expect(opened.map(viewsOf)).toEqual(opened.map(() => 0))
})

test('a branch that was made is gone to', async () => {
  const {opened, shown, go} = await show()
  await waitFor(() => expect(shown()).toBe(opened.at(-1)?.sessionId))
  await act(async () =>
    opened.at(-1)?.send({type: 'change.request', change: {action: 'branch', message: 'q', title: 'bar', key: 'foo'}}),
  )
  await waitFor(() => expect(go.mock.calls).toEqual([[{group: 'chatgpt', conversation: 'branch-id'}]]))
})

test('changes that break are opened again three times, and then are not offered', async () => {
  const {opened, openChanges, shown} = await show()
  await waitFor(() => expect(shown()).toBe(opened.at(-1)?.sessionId))
  const calls = openChanges.mock.calls.length
  for (const restarts of [1, 2, 3]) {
    await act(async () => opened.at(-1)?.send({type: 'message.remove', message: 'q'}))
    await waitFor(() => expect(openChanges).toHaveBeenCalledTimes(calls + restarts))
    await waitFor(() => expect(shown()).toBe(opened.at(-1)?.sessionId))
  }
  await act(async () => opened.at(-1)?.send({type: 'message.remove', message: 'q'}))
  await waitFor(() => expect(shown()).toBe('none'))
  expect(openChanges).toHaveBeenCalledTimes(calls + 3)
})

test('where they cannot be opened the view goes without them', async () => {
  const {openChanges, shown} = await show(() => {
    throw new Error('foo')
  })
  await waitFor(() => expect(openChanges).toHaveBeenCalled())
  expect(shown()).toBe('none')
})
