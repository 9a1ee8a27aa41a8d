import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import {StrictMode} from 'react'
import {expect, onTestFinished, test, vi} from 'vitest'
import type {Ask} from '#domain/conversation.ts'
import {offerCommands} from '#browser/commands.ts'
import {openPart} from '#app/logic/open-part.ts'
import {FollowUpList} from '#features/chat/follow-up-list.tsx'
import {followUpsMachine, selectItems} from '#machines/follow-ups/follow-ups.machine.ts'
import {selectEditing} from '#machines/follow-ups/follow-ups.selectors.ts'
import {renderView} from '#tests/ui/render.tsx'
import {startSession} from '#tests/session-with-parts.ts'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {nobody} from '../../machines/nobody.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {createChat, InChat} from './chat-fixture.tsx'

const ask = (question: string): Ask => ({question, references: [], key: question})

const startOwnSession = () => {
  const {session} = startSession()
  stopAfterTest(session)
  return session
}

/** The list of a conversation, in a session of its own if none is given. */
function showList(conversation = 'conversation-1', session = startOwnSession()) {
  const {system} = session
  const input = {items: [ask('one'), ask('two'), ask('three')], parentRef: nobody}
  const followUps = openPart(system, `followUps/${conversation}`, () => ({machine: followUpsMachine, input}))
  if (followUps === undefined) return expect.fail('The session does not run')
  const {chat} = createChat(undefined)
  const onLost = vi.fn()
  const show = () =>
    renderView(
      <StrictMode>
        <InChat chat={chat}>
          <FollowUpList {...{conversation, followUps, onLost}} environment={startEnvironment()} />
        </InChat>
      </StrictMode>,
    )
  const {unmount} = show()
  const shown = () => screen.queryAllByRole('group').map((item) => item.getAttribute('aria-label'))
  const press = (name: string, of: number) => {
    const button = screen.getAllByRole('button', {name})[of]
    if (button !== undefined) fireEvent.click(button)
  }
  const type = (value: string) =>
    fireEvent.change(screen.getByRole('textbox', {name: 'Edit message'}), {target: {value}})
  const questions = () => selectItems(followUps.getSnapshot()).map(({question}) => question)
  const editing = () => selectEditing(followUps.getSnapshot())
  return {followUps, onLost, shown, press, type, questions, editing, session, show, unmount}
}

test('removed questions come back one after another, each to its position', () => {
  const {shown, press} = showList()
  press('Remove', 0)
  press('Remove', 0)
  expect(shown()).toEqual(['three'])
  press('Undo', 0)
  expect(shown()).toEqual(['two', 'three'])
  press('Undo', 0)
  expect(shown()).toEqual(['one', 'two', 'three'])
  expect(screen.queryByRole('button', {name: 'Undo'})).toBeNull()
})

test('the focus of a removed question goes to the next one, at last to Undo', async () => {
  const {press} = showList()
  const remove = (at: number) => {
    act(() => screen.getAllByRole('button', {name: 'Remove'})[at]?.focus())
    press('Remove', at)
  }
  const focusedGroup = () => document.activeElement?.closest('[role=group]')?.getAttribute('aria-label')
  remove(1)
  await waitFor(() => expect(focusedGroup()).toBe('three'))
  remove(1)
  await waitFor(() => expect(focusedGroup()).toBe('one'))
  remove(0)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', {name: 'Undo'})))
})

test('the focus of Undo goes to the question that came back, that of Dismiss to one that is left', async () => {
  const {press} = showList()
  const go = async (name: string, question: string) => {
    const focused = () => document.activeElement?.closest('[role=group]')?.getAttribute('aria-label')
    press('Remove', 1)
    await waitFor(() => expect(focused()).toBe('three'))
    act(() => screen.getByRole('button', {name}).focus())
    press(name, 0)
    await waitFor(() => expect(focused()).toBe(question))
    act(() => (document.activeElement as HTMLElement).blur()) // as: a button has the focus
  }
  await go('Undo', 'two')
  await go('Dismiss', 'three')
})

test.each(['Send now', 'Go on', 'Dismiss'])(
  'the focus of %s goes to the message field, as it goes itself',
  async (name) => {
    const {followUps, press} = showList()
    const focusField = vi.fn()
    onTestFinished(offerCommands({focusField}))
    act(() => {
      followUps.send({type: 'turn.began'})
      followUps.send({type: 'turn.ended', isAnswered: false})
    })
    if (name === 'Dismiss') {
      for (let row = 0; row < 3; row += 1) press('Remove', 0)
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', {name: 'Undo'})))
    }
    act(() => screen.getAllByRole('button', {name})[0]?.focus())
    press(name, 0)
    await waitFor(() => expect(focusField).toHaveBeenCalledTimes(1))
  },
)

test('the offer to take a removed question back leaves by itself, but not under the pointer', () => {
  vi.useFakeTimers()
  try {
    const {press} = showList()
    press('Remove', 0)
    const undo = () => screen.queryByRole('button', {name: 'Undo'})
    const offer = screen.getByText('Question removed.')
    fireEvent.pointerMove(offer)
    act(() => void vi.advanceTimersByTime(60_000))
    expect(undo()).not.toBeNull()
    fireEvent.pointerLeave(offer)
    act(() => void vi.advanceTimersByTime(8_000))
    expect(undo()).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('a removed question is taken back once, also after its conversation was left and opened again in its time', () => {
  const {questions, press, show, unmount} = showList()
  press('Remove', 1)
  unmount()
  const {unmount: leaveAgain} = show()
  expect(questions()).toEqual(['one', 'three'])
  press('Undo', 0)
  expect(questions()).toEqual(['one', 'two', 'three'])
  leaveAgain()
  show()
  expect(screen.queryByRole('button', {name: 'Undo'})).toBeNull()
})

test('the time to take a question back passes while its conversation is left, also from under the pointer', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const {press, show, unmount} = showList()
  press('Remove', 0)
  fireEvent.pointerMove(screen.getByText('Question removed.'))
  act(() => void vi.advanceTimersByTime(60_000))
  unmount()
  act(() => void vi.advanceTimersByTime(7_999))
  const {unmount: leaveAgain} = show()
  expect(screen.queryByRole('button', {name: 'Undo'})).not.toBeNull()
  leaveAgain()
  act(() => void vi.advanceTimersByTime(1))
  show()
  expect(screen.queryByRole('button', {name: 'Undo'})).toBeNull()
})

test('a removed question is offered in its own conversation alone, again after an offer before, and ends with the session', () => {
  const own = showList('own')
  own.press('Remove', 0)
  own.press('Dismiss', 0)
  own.press('Remove', 0)
  own.unmount()
  const other = showList('other', own.session)
  expect(screen.queryByRole('button', {name: 'Undo'})).toBeNull()
  other.unmount()
  const {unmount: leaveAgain} = own.show()
  expect(screen.queryByRole('button', {name: 'Undo'})).not.toBeNull()
  own.press('Undo', 0)
  expect(own.questions()).toEqual(['two', 'three'])
  own.press('Remove', 0)
  leaveAgain()
  own.session.stop()
  own.show()
  expect(screen.queryByRole('button', {name: 'Undo'})).toBeNull()
})

test('what was typed into a question that another tab sent is handed on; a saved or cancelled text is not', () => {
  const {followUps, onLost, press, type} = showList()
  press('Edit', 0)
  type('one, saved')
  press('Save', 0)
  press('Edit', 0)
  type('one, cancelled')
  press('Cancel', 0)
  press('Edit', 1)
  type('two, typed')
  expect(onLost).not.toHaveBeenCalled()
  act(() => followUps.send({type: 'followUps.heard', items: [ask('three')]}))
  expect(onLost).toHaveBeenCalledExactlyOnceWith('two, typed')
})

test('a list that is left while a text is edited keeps what was typed, and the queue goes on', () => {
  const {onLost, press, type, questions, editing, unmount} = showList()
  press('Edit', 1)
  type('two, typed ')
  expect(editing()).toBe('two')
  unmount()
  expect([questions(), editing()]).toEqual([['one', 'two, typed', 'three'], undefined])
  expect(onLost).not.toHaveBeenCalled()
})

test('a list that is left with an editor where nothing was typed, or all was taken out, changes nothing', () => {
  const {press, type, questions, editing, unmount} = showList()
  press('Edit', 0)
  type('')
  unmount()
  expect([questions(), editing()]).toEqual([['one', 'two', 'three'], undefined])
})

test('the editor of another question saves what was typed into the one before', () => {
  const {press, type, questions, editing} = showList()
  press('Edit', 0)
  type('one, typed')
  press('Edit', 1)
  expect([questions(), editing()]).toEqual([['one, typed', 'two', 'three'], 'three'])
  press('Cancel', 0)
  expect([questions(), editing()]).toEqual([['one, typed', 'two', 'three'], undefined])
})

test('a question is moved by its buttons and by Alt with an arrow, not beyond the list, and its new position is said', () => {
  const {shown, press} = showList()
  press('Move up', 2)
  expect(shown()).toEqual(['one', 'three', 'two'])
  expect(screen.getByText('Now 2 of 3')).toHaveProperty('role', 'status')
  press('Move down', 0)
  expect(shown()).toEqual(['three', 'one', 'two'])
  const arrow = (key: string, altKey: boolean) => {
    const button = screen.getAllByRole('button', {name: 'Edit'})[shown().indexOf('two')]
    if (button !== undefined) fireEvent.keyDown(button, {key, altKey})
  }
  arrow('ArrowUp', false)
  arrow('ArrowDown', true)
  expect(shown()).toEqual(['three', 'one', 'two'])
  arrow('ArrowUp', true)
  arrow('ArrowUp', true)
  arrow('ArrowUp', true)
  expect(shown()).toEqual(['two', 'three', 'one'])
  arrow('ArrowDown', true)
  expect(shown()).toEqual(['three', 'two', 'one'])
})

test('a second finger neither drops nor puts back the row that the first one drags', () => {
  showList()
  const grips = [...document.querySelectorAll('[data-grip]')]
  const touch = (press: typeof fireEvent.pointerUp, at: number) => {
    const [grip, isPrimary] = [grips[at], at === 0]
    if (grip !== undefined) press(grip, {pointerId: at + 1, isPrimary, button: 0})
  }
  const liftedRows = () => document.querySelectorAll('[data-lifted]')
  touch(fireEvent.pointerDown, 0)
  touch(fireEvent.pointerDown, 1)
  touch(fireEvent.pointerUp, 1)
  expect(liftedRows()).toHaveLength(1)
  touch(fireEvent.pointerCancel, 1)
  expect(liftedRows()).toHaveLength(1)
  touch(fireEvent.pointerUp, 0)
  expect(liftedRows()).toHaveLength(0)
})
