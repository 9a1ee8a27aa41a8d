import {act, screen} from '@testing-library/react'
import {NEVER} from 'rxjs'
import {Suspense} from 'react'
import {expect, test, vi} from 'vitest'
import {createChatPorts} from '#app/chat/chat-ports.ts'
import {ChatProvider} from '#features/chat/chat.context.tsx'
import {useThreadWords} from '#features/chat/use-thread-words.ts'
import {renderView} from '../../ui/render.tsx'

function View({name}: {name: string}) {
  useThreadWords()
  return <p>{name}</p>
}

/** The ports of the chat, of which only the words are used. */
const portsOf = (loadWords: () => Promise<boolean>) =>
  createChatPorts({
    root: {chatSlice: {}, services: {}},
    platform: 'http://localhost',
    loadWords,
    deps: {tabs: {facts$: NEVER}},
    capabilities: [],
    // as: nothing else is asked for
  } as unknown as Parameters<typeof createChatPorts>[0])

test('words of the thread that did not come are loaded anew for the next thread', async () => {
  const loadWords = vi.fn(() => Promise.resolve(true)).mockResolvedValueOnce(false)
  const ports = portsOf(loadWords)
  const views = (...names: readonly string[]) => (
    <ChatProvider chat={{...ports, actors: undefined, isOpening: false}}>
      {names.map((name) => (
        <Suspense key={name}>
          <View name={name} />
        </Suspense>
      ))}
    </ChatProvider>
  )
  const {rerender} = await act(async () => renderView(views('one')))
  const shown = async (...names: readonly string[]) => {
    await act(async () => rerender(views(...names)))
    return names.filter((name) => screen.queryByText(name) !== null)
  }
  expect([await shown('one'), loadWords.mock.calls.length]).toEqual([['one'], 1])
  expect([await shown(), loadWords.mock.calls.length]).toEqual([[], 1])
  expect([await shown('two'), loadWords.mock.calls.length]).toEqual([['two'], 2])
  // they are there: nothing suspends
  expect([await shown('two', 'three'), loadWords.mock.calls.length]).toEqual([['two', 'three'], 2])
})

test('a thread in place of the one without words loads them anew, once', async () => {
  const loadWords = vi.fn(() => Promise.resolve(true)).mockResolvedValueOnce(false)
  const ports = portsOf(loadWords)
  const view = (name: string) => (
    <ChatProvider chat={{...ports, actors: undefined, isOpening: false}}>
      <Suspense key={name}>
        <View name={name} />
      </Suspense>
    </ChatProvider>
  )
  const {rerender} = await act(async () => renderView(view('one')))
  const calls = []
  for (const name of ['two', 'three', 'four']) {
    await act(async () => rerender(view(name)))
    calls.push(loadWords.mock.calls.length)
  }
  expect([screen.queryByText('four') !== null, calls]).toEqual([true, [2, 2, 2]])
})
