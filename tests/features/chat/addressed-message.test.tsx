import {act, renderHook} from '@testing-library/react'
import {createRef} from 'react'
import {afterEach, expect, test, vi} from 'vitest'
import {searchedWords} from '#features/chat/searched-words.ts'
import type {ThreadHandle} from '#features/chat/thread-view.tsx'
import {useAddressedMessage} from '#features/chat/use-addressed-message.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import {createChatActors, record} from './chat-fixture.tsx'

afterEach(() => searchedWords.set(undefined))

/** A thread at an address, whose view notes what it is to show. */
async function openThread(anchor: string | undefined) {
  const {actors} = createChatActors({records: [record('a')]})
  const {conversations} = actors
  await vi.waitFor(() => expect(conversations.getSnapshot().matches('success')).toBe(true))
  act(() => conversations.send({type: 'conversation.open', key: 'a'}))
  const actor = selectConversation(conversations.getSnapshot(), 'a')
  if (actor === undefined) throw new Error('The conversation is not open')
  const show = vi.fn()
  const view = createRef<ThreadHandle>()
  const other = () => {
    throw new Error('Only what is shown counts here')
  }
  view.current = {jump: other, show, reveal: other, firstRow: other, isPartial: other, focus: other, elements: other}
  const rendered = renderHook(({at}: {at: string | undefined}) => useAddressedMessage(actor, at, view), {
    initialProps: {at: anchor},
  })
  return {...rendered, show}
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

test.each(['another address', 'another page'])('what never came is forgotten with %s', async (place) => {
  const hit = {conversation: 'a', anchor: 'm9', query: 'bar'}
  searchedWords.set(hit)
  const {result, rerender, unmount} = await openThread('m9')
  expect([result.current, searchedWords.get()]).toEqual([true, hit])
  if (place === 'another page') unmount()
  else rerender({at: 'm1'})
  expect(searchedWords.get()).toBeUndefined()
})
