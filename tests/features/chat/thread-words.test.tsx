import {act, screen} from '@testing-library/react'
import {NEVER} from 'rxjs'
import {Suspense} from 'react'
import {beforeEach, expect, test, vi} from 'vitest'
import {createChatPorts} from '#app/chat/chat-ports.ts'
import {ChatProvider} from '#features/chat/chat.context.tsx'
import {useThreadFailure} from '#features/chat/use-thread-failure.ts'
import {useThreadWords} from '#features/chat/use-thread-words.ts'
import {ZoneBoundary} from '#features/shell/zone-boundary.tsx'
import {renderView} from '../../ui/render.tsx'

function View({name}: {name: string}) {
  useThreadWords()
  return <p>{name}</p>
}

/** The ports of the chat, of which only the words are used. */
const portsOf = (loadWords: () => Promise<void>) =>
  createChatPorts({
    root: {chatSlice: {}, services: {}},
    platform: 'http://localhost',
    loadWords,
    deps: {tabs: {facts$: NEVER}},
    capabilities: [],
    // as: nothing else is asked for
  } as unknown as Parameters<typeof createChatPorts>[0])

const failing = () => Promise.reject(new Error('no words'))

/** Threads beside each other, each in a zone of its own. */
const threads = (ports: ReturnType<typeof portsOf>, names: readonly string[]) => (
  <ChatProvider chat={{...ports, actors: undefined, isOpening: false}}>
    {names.map((name) => (
      <ZoneBoundary key={name} zone={name} resetKey={name}>
        <Suspense>
          <View name={name} />
        </Suspense>
      </ZoneBoundary>
    ))}
  </ChatProvider>
)

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))

test('a thread whose words did not come says so, and the next thread loads them anew', async () => {
  const loadWords = vi.fn(() => Promise.resolve()).mockImplementationOnce(failing)
  const ports = portsOf(loadWords)
  const {rerender} = await act(async () => renderView(threads(ports, ['one'])))
  const shown = async (...names: readonly string[]) => {
    await act(async () => rerender(threads(ports, names)))
    return [names.filter((name) => screen.queryByText(name) !== null), loadWords.mock.calls.length]
  }
  expect(await shown('one')).toEqual([[], 1])
  expect(screen.getByRole('alert').textContent).toContain('This part stopped working.')
  expect(await shown()).toEqual([[], 1])
  expect(await shown('two')).toEqual([['two'], 2])
  // they are there: nothing suspends
  expect(await shown('two', 'three')).toEqual([['two', 'three'], 2])
})

test('a thread in place of the one without words loads them anew, once', async () => {
  const loadWords = vi.fn(() => Promise.resolve()).mockImplementationOnce(failing)
  const ports = portsOf(loadWords)
  const {rerender} = await act(async () => renderView(threads(ports, ['one'])))
  const calls = []
  for (const name of ['two', 'three', 'four']) {
    await act(async () => rerender(threads(ports, [name])))
    calls.push(loadWords.mock.calls.length)
  }
  expect([screen.queryByText('four') !== null, calls]).toEqual([true, [2, 2, 2]])
})

function Reading({isHint = false}: {isHint?: boolean}) {
  const {failure, retry} = useThreadFailure()
  if (isHint) return <p>{failure === undefined ? 'hint' : 'no hint'}</p>
  return <button onClick={retry}>{failure === undefined ? 'with words' : failure.message}</button>
}

test('a view that does without the words says why they are missing, and asks again when told to', async () => {
  const loadWords = vi.fn(() => Promise.resolve()).mockImplementationOnce(failing)
  const ports = portsOf(loadWords)
  await act(async () =>
    renderView(
      <ChatProvider chat={{...ports, actors: undefined, isOpening: false}}>
        <Suspense>
          <Reading isHint />
          <Reading />
        </Suspense>
      </ChatProvider>,
    ),
  )
  const button = screen.getByRole('button')
  expect([button.textContent, loadWords.mock.calls.length]).toEqual(['no words', 1])
  expect(screen.queryByText('no hint')).not.toBeNull()
  await act(async () => button.click())
  expect([screen.getByRole('button').textContent, loadWords.mock.calls.length]).toEqual(['with words', 2])
  // those beside it did not ask
  expect(screen.queryByText('hint')).not.toBeNull()
})
