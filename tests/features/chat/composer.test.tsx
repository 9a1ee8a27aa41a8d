import {act, fireEvent, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {describe, expect, onTestFinished, test, vi} from 'vitest'
import {sendKey} from '#browser/remembered-value.ts'
import {showComposer} from './composer-fixture.tsx'

/** The pointer of a phone, until the mock is restored. */
const withTouch = () =>
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), {
        matches: query.includes('coarse'),
        media: query,
      }) as unknown as MediaQueryList, // as: only what our code reads
  )

describe('composer', () => {
  test('Enter sends and clears at once, Shift+Enter breaks the line', async () => {
    const user = userEvent.setup()
    const {props, field} = showComposer()
    await user.type(field, 'foo{Shift>}{Enter}{/Shift}bar ')
    expect(field.value).toBe('foo\nbar ')
    await user.type(field, '{Enter}')
    expect(props.onSend).toHaveBeenCalledExactlyOnceWith({question: 'foo\nbar', references: []})
    expect(field.value).toBe('')
    expect(props.onDraft).toHaveBeenLastCalledWith(undefined)
  })

  test('Enter that confirms a candidate of an input method does not send', async () => {
    const {props, field} = showComposer()
    fireEvent.change(field, {target: {value: 'にほん'}})
    fireEvent.keyDown(field, {key: 'Enter', isComposing: true})
    fireEvent.keyDown(field, {key: 'Enter', keyCode: 229})
    expect(props.onSend).not.toHaveBeenCalled()
  })

  test('by setting Enter is a new line, and Ctrl+Enter sends; the hint says so', async () => {
    sendKey.set('modifier')
    onTestFinished(() => sendKey.set('enter'))
    const {props, field} = showComposer()
    fireEvent.change(field, {target: {value: 'foo'}})
    expect(field.getAttribute('enterkeyhint')).toBe('enter')
    expect(await screen.findByText('to send')).toBeVisible()
    expect(fireEvent.keyDown(field, {key: 'Enter'})).toBe(true)
    expect(props.onSend).not.toHaveBeenCalled()
    fireEvent.keyDown(field, {key: 'Enter', metaKey: true, isComposing: true})
    expect(props.onSend).not.toHaveBeenCalled()
    fireEvent.keyDown(field, {key: 'Enter', metaKey: true})
    expect(props.onSend).toHaveBeenCalledTimes(1)
  })

  test('on touch Enter is a new line, Ctrl+Enter and the button send', () => {
    const touch = withTouch()
    const {props, field} = showComposer()
    fireEvent.change(field, {target: {value: 'foo'}})
    expect(fireEvent.keyDown(field, {key: 'Enter'})).toBe(true)
    expect(props.onSend).not.toHaveBeenCalled()
    fireEvent.keyDown(field, {key: 'Enter', ctrlKey: true})
    expect(props.onSend).toHaveBeenCalledTimes(1)
    touch.mockRestore()
  })

  test('white space cannot be sent', async () => {
    const {props, field} = showComposer()
    fireEvent.change(field, {target: {value: ' \n '}})
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(props.onSend).not.toHaveBeenCalled()
    expect(screen.getByRole('button', {name: 'Send'})).toHaveProperty('disabled', true)
  })

  test('a question that is not taken stays', async () => {
    const {field} = showComposer({onSend: vi.fn(() => false)})
    fireEvent.change(field, {target: {value: 'foo'}})
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(field.value).toBe('foo')
  })

  test('the draft is told with each key and read back', async () => {
    const {props, field} = showComposer({
      draft: {text: 'foo', references: [{url: 'https://hub.example/a.pdf', name: 'a.pdf', size: 3}]},
    })
    expect(field.value).toBe('foo')
    expect(await screen.findByText('a.pdf')).toBeVisible()
    fireEvent.change(field, {target: {value: 'foo bar'}})
    expect(props.onDraft).toHaveBeenLastCalledWith({
      text: 'foo bar',
      references: [{url: 'https://hub.example/a.pdf', name: 'a.pdf', size: 3}],
    })
  })

  test('a question that was given back stands before what was typed since', async () => {
    const {view, inChat, props, field} = showComposer()
    view.rerender(inChat({...props, returned: {question: 'foo'}}))
    expect(field.value).toBe('foo')
    view.rerender(inChat({...props, returned: {question: 'bar'}}))
    expect(field.value).toBe('bar\n\nfoo')
  })

  test('Stop replaces Send; the second half of a double click does not stop; typing goes on', async () => {
    const {props, field} = showComposer({busy: true, canStop: true, canSend: false})
    const stop = screen.getByRole('button', {name: 'Stop'})
    expect(screen.queryByRole('button', {name: 'Send'})).toBeNull()
    fireEvent.click(stop, {detail: 2})
    expect(props.onStop).not.toHaveBeenCalled()
    fireEvent.click(stop, {detail: 1})
    expect(props.onStop).toHaveBeenCalledTimes(1)
    fireEvent.change(field, {target: {value: 'next'}})
    fireEvent.keyDown(field, {key: 'Enter'})
    expect(props.onSend).not.toHaveBeenCalled()
    expect(field.value).toBe('next')
    fireEvent.keyDown(field, {key: 'Escape'})
    expect(props.onStop).toHaveBeenCalledTimes(2)
  })

  test.each(['Send', 'Stop'])('%s gives the focus to the field, which takes none on touch', async (name) => {
    const {field} = showComposer({busy: name === 'Stop', canStop: true, draft: {text: 'foo', references: []}})
    const button = screen.getByRole('button', {name})
    const touch = withTouch()
    act(() => button.focus())
    fireEvent.click(button)
    expect(document.activeElement).not.toBe(field)
    touch.mockRestore()
    fireEvent.change(field, {target: {value: 'bar'}})
    fireEvent.click(button)
    expect(document.activeElement).toBe(field)
  })

  test.each([
    ['goes', {busy: false}],
    ['can no longer be pressed', {canStop: false}],
  ])('Stop that %s hands its focus to the field, which takes none on touch', (_, change) => {
    const {view, inChat, props, field} = showComposer({busy: true, canStop: true})
    act(() => screen.getByRole('button', {name: 'Stop'}).focus())
    view.rerender(inChat({...props, ...change}))
    expect(document.activeElement).toBe(field)

    view.rerender(inChat(props))
    const touch = withTouch()
    act(() => screen.getByRole('button', {name: 'Stop'}).focus())
    view.rerender(inChat({...props, ...change}))
    expect(document.activeElement).not.toBe(field)
    touch.mockRestore()
  })

  test('a press beside the buttons keeps the focus in the field', () => {
    const {field} = showComposer()
    const row = screen.getByRole('button', {name: 'Send'}).parentElement as HTMLElement // as: the buttons stand in it
    act(() => field.blur())
    expect(fireEvent.mouseDown(row)).toBe(false)
    expect(document.activeElement).toBe(field)
  })

  test('ArrowUp edits the last message only from an empty field', () => {
    const {props, field} = showComposer()
    fireEvent.keyDown(field, {key: 'ArrowUp'})
    expect(props.onEditLast).toHaveBeenCalledTimes(1)
    fireEvent.change(field, {target: {value: 'foo'}})
    fireEvent.keyDown(field, {key: 'ArrowUp'})
    expect(props.onEditLast).toHaveBeenCalledTimes(1)
  })
})
