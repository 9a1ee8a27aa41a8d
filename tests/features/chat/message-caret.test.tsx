import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import {expect, onTestFinished, test, vi} from 'vitest'
import {record} from './chat-fixture.tsx'
import {showScreen} from './chat-screen-fixture.tsx'

/* The screen before the session gives way to that of the conversation, whose field takes its text over. */

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', {name: 'Message'})

async function replacedField(select: (from: HTMLTextAreaElement) => void) {
  const {goTo, early} = await showScreen(undefined)
  await waitFor(() => expect(document.activeElement).toBe(field()))
  early()
  const before = field()
  act(() => before.focus())
  fireEvent.change(before, {target: {value: 'foo bar'}})
  select(before)
  goTo(undefined)
  await waitFor(() => expect(field()).not.toBe(before))
  await waitFor(() => expect(document.activeElement).toBe(field()))
  expect(field().value).toBe('foo bar')
  return [field().selectionStart, field().selectionEnd]
}

test('the caret stays in the middle of the text', async () => {
  expect(await replacedField((before) => before.setSelectionRange(3, 3))).toEqual([3, 3])
})

test('a selection stays', async () => {
  expect(await replacedField((before) => before.setSelectionRange(1, 5))).toEqual([1, 5])
})

test('a draft that is opened has the caret at its end, wherever it was in another field', async () => {
  const {chat, goTo} = await showScreen(undefined, {records: [record('a')]})
  await waitFor(() => expect(document.activeElement).toBe(field()))
  fireEvent.change(field(), {target: {value: 'foo'}})
  field().setSelectionRange(1, 1)
  chat.drafts.write('a', {text: 'other', references: []})
  goTo('a')
  await waitFor(() => expect(field().value).toBe('other'))
  await waitFor(() => expect(document.activeElement).toBe(field()))
  expect(field().selectionStart).toBe(5)
})

test.each([
  ['takes the focus where there is a keyboard', false],
  ['takes no focus on touch, which would bring up the keyboard', true],
])('the field of an opened conversation %s', async (_, isTouch) => {
  const media = vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), {
        matches: isTouch && query.includes('coarse'),
        media: query,
      }) as unknown as MediaQueryList, // as: only what our code reads
  )
  onTestFinished(() => media.mockRestore())
  await showScreen('a', {records: [record('a')]})
  await screen.findByText('bar')
  expect(document.activeElement === field()).toBe(!isTouch)
})
