import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {beforeAll, expect, onTestFinished, test, vi} from 'vitest'
import {createActor} from 'xstate'
import {NEVER} from 'rxjs'
import {createCompareLogic} from '#app/chat/compare.ts'
import {listenToKeys} from '#browser/key-listener.ts'
import type {RecordMessage} from '#domain/conversation.ts'
import {CompareScreen} from '#features/chat/compare/compare-screen.tsx'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {renderView} from '#tests/ui/render.tsx'
import {createChat, createChatActors, InChat, record} from './chat-fixture.tsx'
import {showScreen} from './chat-screen-fixture.tsx'
import {start as startChanges} from '../../machines/message-changes-fixture.ts'
import {DeletedMessage} from '#features/chat/message-versions.tsx'

/* Messages that the user deleted, while that can be taken back or waits for the network. */

beforeAll(async () => void (await listenToKeys()()))

const said = (name: string, given: Partial<RecordMessage> = {}): RecordMessage[] => [
  {role: 'user', content: `${name} question`, id: `${name}-q`, ...given},
  {role: 'assistant', content: `${name} answer`, id: `${name}-a`, state: 'finished', ...given},
]
const messages = [...said('one'), ...said('two'), ...said('three'), ...said('four', {removing: true})]

function watchCopies() {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async () => undefined)
  onTestFinished(() => write.mockRestore())
  return write
}

test('deleted messages are not found, listed as questions or copied as the last answer', async () => {
  const write = watchCopies()
  await showScreen('a', {records: [record('a', {messages})]})
  await screen.findByText('three answer')
  expect(screen.queryByText('four answer')).toBeNull()
  fireEvent.keyDown(document.body, {key: 'F', ctrlKey: true, shiftKey: true})
  fireEvent.change(await screen.findByRole('textbox', {name: 'Find in conversation'}), {target: {value: 'answer'}})
  expect(await screen.findByText(/of 3$/)).toBeVisible()
  fireEvent.keyDown(document.body, {key: 'C', ctrlKey: true, shiftKey: true})
  await waitFor(() => expect(write.mock.calls).toEqual([['three answer']]))
  await userEvent.click(screen.getByRole('button', {name: 'Actions for this conversation'}))
  await userEvent.click(await screen.findByRole('menuitem', {name: 'Questions'}))
  const questions = within(await screen.findByRole('navigation', {name: 'Questions'})).getAllByRole('listitem')
  expect(questions.map(({textContent}) => textContent)).toEqual(['one question', 'two question', 'three question'])
})

test('a comparison copies the last answer that is not deleted', async () => {
  const write = watchCopies()
  const {actors} = createChatActors({records: [record('a', {messages}), record('b')]})
  const logic = createCompareLogic(actors.conversations, {
    addresses: NEVER,
    showNames: () => undefined,
    times: {load: () => undefined, read: () => undefined, keep: () => undefined},
    now: Date.now,
    log: () => undefined,
  })
  const compare = createActor(logic, {input: {names: ['a', 'b'], models: []}}).start()
  stopAfterTest(compare)
  await act(async () => {
    renderView(
      <InChat chat={createChat(actors).chat}>
        <CompareScreen
          actors={actors}
          compare={compare}
          groups={['chatgpt']}
          href="/compare"
          lastHref={undefined}
          head={null}
          scrolls={{read: () => undefined, keep: () => undefined, rename: () => undefined}}
          draftKeyOfPage={() => undefined}
          onBegin={() => undefined}
        />
      </InChat>,
    )
  })
  const [copy] = await screen.findAllByRole('button', {name: /Copy$/})
  if (copy !== undefined) fireEvent.click(copy)
  await waitFor(() => expect(write.mock.calls).toEqual([['three answer']]))
})

async function showOffer() {
  const {actor, clock} = startChanges()
  stopAfterTest(actor)
  actor.send({type: 'message.remove', message: 'a-1'})
  renderView(
    <div tabIndex={0} role="log">
      <DeletedMessage changes={actor} id="a-1" />
    </div>,
  )
  const offer = await screen.findByText('Message deleted')
  return {actor, clock, offer, undo: screen.getByRole('button', {name: 'Undo'})}
}

test('the offer to take a message back stays under the pointer and the focus, and no longer', async () => {
  const {clock, offer, undo} = await showOffer()
  act(() => undo.blur())
  fireEvent.pointerMove(offer)
  act(() => clock.increment(60_000))
  fireEvent.pointerLeave(offer)
  act(() => clock.increment(7_000))
  act(() => undo.focus())
  act(() => clock.increment(60_000))
  expect(screen.queryByText('Message deleted')).not.toBeNull()
  act(() => undo.blur())
  act(() => clock.increment(8_000))
  expect(screen.queryByText('Message deleted')).toBeNull()
})

test('the offer to take a message back gives its focus to the thread as it leaves', async () => {
  const {actor, undo} = await showOffer()
  expect(document.activeElement).toBe(undo)
  act(() => actor.send({type: 'page.leaving'}))
  expect(screen.queryByText('Message deleted')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('log')))
})
