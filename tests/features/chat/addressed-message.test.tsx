import {act, renderHook} from '@testing-library/react'
import {NEVER} from 'rxjs'
import {createRef} from 'react'
import {afterEach, expect, test, vi} from 'vitest'
import {searchedWords} from '#features/chat/searched-words.ts'
import type {ThreadHandle} from '#features/chat/thread-view.tsx'
import {useAddressedMessage} from '#features/chat/use-addressed-message.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {messageChangesMachine, type MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import type {MessageChange, MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import {createChatActors, record} from './chat-fixture.tsx'
import {eventually} from '../../eventually.ts'

afterEach(() => searchedWords.set(undefined))

/** The changes of a conversation: `visit` answers when another path is to be shown. */
function createChanges(
  visit: (message: string) => Promise<void>,
  select: (message: string) => Promise<void> = async () => undefined,
): MessageChangesActor {
  const changes = createActor(
    messageChangesMachine.provide({
      actors: {
        followConversation: fromEventObservable<MessageChangesEvent, undefined>(() => NEVER),
        changeConversation: fromPromise<string | undefined, MessageChange | undefined>(async ({input}) => {
          if (input?.action === 'visit') await visit(input.message)
          if (input?.action === 'select') await select(input.message)
          return undefined
        }),
      },
      actions: {logFailure: () => undefined},
    }),
    {input: {unconfirmed: []}},
  ).start()
  stopAfterTest(changes)
  return changes
}

/** A thread at an address, whose view notes what it is to show. */
async function openThread(anchor: string | undefined, changes?: MessageChangesActor) {
  const {actors} = createChatActors({records: [record('a')]})
  const {conversations} = actors
  await eventually(() => expect(conversations.getSnapshot().matches('success')).toBe(true))
  act(() => conversations.send({type: 'conversation.open', key: 'a'}))
  const actor = selectConversation(conversations.getSnapshot(), 'a')
  if (actor === undefined) throw new Error('The conversation is not open')
  const show = vi.fn()
  const view = createRef<ThreadHandle>()
  const other = () => {
    throw new Error('Only what is shown counts here')
  }
  view.current = {
    jump: other,
    show: other,
    showWhole: show,
    reveal: other,
    firstRow: other,
    isAtEnd: other,
    isPartial: other,
    focus: other,
    elements: other,
  }
  const rendered = renderHook(({at}: {at: string | undefined}) => useAddressedMessage(actor, at, view, changes), {
    initialProps: {at: anchor},
  })
  return {...rendered, show, conversations}
}

test('the words of a hit are marked in its message, once', async () => {
  searchedWords.set({conversation: 'a', anchor: 'm2', query: 'bar'})
  const {show, rerender} = await openThread('m2')
  expect(show.mock.calls).toEqual([[1, 'bar']])
  expect(searchedWords.get()).toBeUndefined()
  rerender({at: undefined})
  rerender({at: 'm2'})
  expect(show.mock.calls).toEqual([[1, 'bar']])
})

test('a hit that is followed from another address waits for it', async () => {
  const {show, rerender} = await openThread('m1')
  act(() => searchedWords.set({conversation: 'a', anchor: 'm2', query: 'bar'}))
  rerender({at: 'm2'})
  expect(show.mock.calls).toEqual([
    [0, undefined],
    [1, 'bar'],
  ])
})

test.each(['another address', 'another page'])('what never came is forgotten with %s', async (way) => {
  const hit = {conversation: 'a', anchor: 'm9', query: 'bar'}
  searchedWords.set(hit)
  const {result, rerender, unmount} = await openThread('m9')
  expect([result.current, searchedWords.get()]).toEqual([true, hit])
  if (way === 'another page') unmount()
  else rerender({at: 'm1'})
  expect(searchedWords.get()).toBeUndefined()
})

test('a message of another version is shown with its path, which is read once', async () => {
  let give = () => {}
  const visit = vi.fn(
    (_message: string) =>
      new Promise<void>((resolve) => {
        give = resolve
      }),
  )
  const {result, rerender, show, conversations} = await openThread('other', createChanges(visit))
  await eventually(() => expect(visit.mock.calls).toEqual([['other']]))
  expect(result.current).toBe(false)
  const messages = [
    {id: 'q', role: 'user', content: 'foo'},
    {id: 'other', role: 'assistant', content: 'bar', state: 'finished'},
  ] as const
  const actor = selectConversation(conversations.getSnapshot(), 'a')
  act(() => actor?.send({type: 'path.show', message: 'other', messages: [...messages]}))
  expect(show.mock.calls).toEqual([[1, undefined]])
  await act(async () => give())
  expect(result.current).toBe(false)
  rerender({at: 'other'})
  expect(visit).toHaveBeenCalledTimes(1)
  expect(actor?.getSnapshot().value).toBe('visiting')
  rerender({at: ''})
  expect(actor?.getSnapshot().value).toBe('finished')
})

test('a thread that is left leaves the conversation at what the server has chosen', async () => {
  const {unmount, conversations} = await openThread(
    'other',
    createChanges(async () => undefined),
  )
  const actor = selectConversation(conversations.getSnapshot(), 'a')
  act(() => actor?.send({type: 'path.show', message: 'other', messages: [{id: 'other', role: 'user', content: 'foo'}]}))
  unmount()
  expect(actor?.getSnapshot().value).toBe('finished')
})

test('another version that is chosen after the message was shown stays, and nothing is said to be gone', async () => {
  const visit = vi.fn(async (_message: string) => undefined)
  const {result, rerender, conversations} = await openThread(undefined, createChanges(visit))
  const load = (id: string, seconds: number) =>
    act(() =>
      conversations.send({
        type: 'conversation.loaded',
        record: {
          ...record('a'),
          messages: [{id, role: 'user', content: id, state: 'finished'}],
          updatedAt: record('a').updatedAt + seconds,
        },
      }),
    )
  load('shown', 1)
  rerender({at: 'shown'})
  load('other', 2)
  const actor = selectConversation(conversations.getSnapshot(), 'a')
  expect(actor?.getSnapshot().context.messages.map(({id}) => id)).toEqual(['other'])
  expect([result.current, visit.mock.calls]).toEqual([false, []])
})

test('a message that the server has in no version is said to be gone; a position is not asked for', async () => {
  const visit = vi.fn(async (_message: string) => {
    throw new Error('404')
  })
  const {result, rerender} = await openThread('gone', createChanges(visit))
  await eventually(() => expect(result.current).toBe(true))
  rerender({at: 'm9'})
  expect(result.current).toBe(true)
  expect(visit.mock.calls).toEqual([['gone']])
})

test('a message is looked for until its own path was asked for, not until another change has ended', async () => {
  const answers: (() => void)[] = []
  const answered = () => new Promise<void>((resolve) => void answers.push(resolve))
  const visit = vi.fn((_message: string) => answered())
  const changes = createChanges(visit, answered)
  changes.send({type: 'change.request', change: {action: 'select', message: 'm1'}})
  const {result} = await openThread('other', changes)
  await act(async () => answers[0]?.())
  expect([result.current, visit.mock.calls]).toEqual([false, [['other']]])
  await act(async () => answers[1]?.())
  expect(result.current).toBe(true)
})
