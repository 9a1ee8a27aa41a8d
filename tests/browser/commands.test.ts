import {afterEach, beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest'
import {keysOf, offerCommands} from '#browser/commands.ts'
import {listenToKeys} from '#browser/key-listener.ts'
import {keyBindings} from '#browser/remembered-value.ts'
import {singleKeys} from '#browser/single-keys.ts'
import {takeTypedAhead} from '#browser/typed-ahead.ts'

beforeAll(async () => void (await listenToKeys()()))
afterEach(() => {
  keyBindings.set({})
  singleKeys.set(true)
  takeTypedAhead()
  document.body.replaceChildren()
})

const press = (init: KeyboardEventInit, target: EventTarget = document.body) => {
  const event = new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...init})
  target.dispatchEvent(event)
  return event.defaultPrevented
}

test('the newest offer runs, by the keys that the user chose', () => {
  const [older, newer] = [vi.fn(), vi.fn()]
  const ends = [offerCommands({palette: older}), offerCommands({palette: newer})]
  expect(press({key: 'k', code: 'KeyK', ctrlKey: true})).toBe(true)
  ends[1]?.()
  keyBindings.set({palette: 'Mod+E'})
  expect(keysOf('palette')).toBe('Mod+E')
  expect(press({key: 'k', code: 'KeyK', ctrlKey: true})).toBe(false)
  press({key: 'e', code: 'KeyE', ctrlKey: true})
  ends[0]?.()
  expect(press({key: 'e', code: 'KeyE', ctrlKey: true})).toBe(false)
  expect([older.mock.calls.length, newer.mock.calls.length]).toEqual([1, 1])
})

test('a single key is typed, not run, in a field; and can be turned off', () => {
  const run = vi.fn()
  const end = offerCommands({shortcuts: run, stop: run})
  const field = document.body.appendChild(document.createElement('textarea'))
  expect(press({key: '?', code: 'Slash', shiftKey: true}, field)).toBe(false)
  expect(press({key: 'Escape', code: 'Escape'}, field)).toBe(true)
  singleKeys.set(false)
  expect(press({key: '?', code: 'Slash', shiftKey: true})).toBe(false)
  end()
  expect(run).toHaveBeenCalledTimes(1)
})

test('nothing runs below an open dialog or while an input method composes', () => {
  const run = vi.fn()
  const end = offerCommands({palette: run})
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  press({key: 'k', code: 'KeyK', ctrlKey: true}, dialog)
  press({key: 'k', code: 'KeyK', ctrlKey: true, isComposing: true})
  expect(run).not.toHaveBeenCalled()
  // it closes, and has the focus until it is gone
  dialog.toggleAttribute('data-closed')
  press({key: 'k', code: 'KeyK', ctrlKey: true}, dialog)
  end()
  expect(run).toHaveBeenCalledOnce()
})

test('of keys that are held the first press runs, and the browser gets none of them', () => {
  const run = vi.fn()
  const end = offerCommands({newChat: run, undo: run})
  const keys = {key: 'O', code: 'KeyO', ctrlKey: true, shiftKey: true}
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  expect([press(keys), press({...keys, repeat: true}), press({...keys, repeat: true}, dialog)]).toEqual([
    true,
    true,
    true,
  ])
  const field = document.body.appendChild(document.createElement('textarea'))
  field.value = 'typed'
  // the field undoes it again and again
  expect(press({key: 'z', code: 'KeyZ', ctrlKey: true, repeat: true}, field)).toBe(false)
  end()
  expect(press({...keys, repeat: true})).toBe(false)
  expect(run).toHaveBeenCalledOnce()
})

test('undo on keys that no field undoes by runs from a field with text', () => {
  const run = vi.fn()
  const end = offerCommands({undo: run})
  keyBindings.set({undo: 'F8'})
  const field = document.body.appendChild(document.createElement('textarea'))
  field.value = 'typed'
  expect(press({key: 'F8', code: 'F8'}, field)).toBe(true)
  end()
  expect(run).toHaveBeenCalledOnce()
})

test('the key of undo runs from a list over the page and from an empty field, and leaves a field what was typed there', () => {
  const run = vi.fn()
  const end = offerCommands({undo: run})
  const undo = (target: EventTarget) => press({key: 'z', code: 'KeyZ', ctrlKey: true}, target)
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  const field = dialog.appendChild(document.createElement('textarea'))
  const box = dialog.appendChild(document.createElement('input'))
  box.type = 'checkbox'
  expect([undo(document.body), undo(dialog), undo(field), undo(box)]).toEqual([true, true, true, true])
  const type = (text: string) => {
    field.value = text
    field.dispatchEvent(new Event('input', {bubbles: true}))
  }
  field.focus()
  type('foo')
  expect(undo(field)).toBe(false)
  // the field can bring back what was removed from it
  type('')
  expect(undo(field)).toBe(false)
  field.blur()
  field.focus()
  expect(undo(field)).toBe(true)
  expect(press({key: 'Z', code: 'KeyZ', ctrlKey: true, shiftKey: true}, field)).toBe(false)
  end()
  expect(run).toHaveBeenCalledTimes(5)
  expect(undo(document.body)).toBe(false)
})

describe('until the field of the palette has the focus', () => {
  const typeAhead = (...keys: string[]) => keys.map((key) => press({key}, field()))
  const field = () =>
    document.querySelector('textarea') ?? document.body.appendChild(document.createElement('textarea'))
  const openPalette = () => {
    onTestFinished(offerCommands({palette: () => undefined}))
    press({key: 'k', code: 'KeyK', ctrlKey: true}, field())
  }

  test('what is typed is kept for it, and reaches no other field', () => {
    const send = vi.fn()
    field().addEventListener('keydown', send)
    openPalette()
    send.mockClear()
    expect(typeAhead('d', 'x', 'Backspace', 'a', ' ', 'Enter')).toEqual(Array(6).fill(true))
    openPalette()
    typeAhead('r')
    expect(send).toHaveBeenCalledOnce() // the second press of its keys
    expect(takeTypedAhead()).toBe('da r')
    expect(typeAhead('k')).toEqual([false])
    expect(takeTypedAhead()).toBe('')
  })

  test.each([
    ['a press of Escape', () => typeAhead('Escape')],
    ['a press elsewhere', () => document.body.dispatchEvent(new Event('pointerdown', {bubbles: true}))],
    ['three seconds', () => vi.advanceTimersByTime(3_000)],
  ])('%s ends that', (_name, end) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    openPalette()
    typeAhead('d')
    end()
    expect(typeAhead('a')).toEqual([false])
    expect(takeTypedAhead()).toBe('')
  })

  test('what Option types on Apple’s systems is kept as well', () => {
    openPalette()
    const option = {key: 'ß', code: 'KeyS', altKey: true}
    expect(press(option, field())).toBe(false)
    const platform = vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
    onTestFinished(() => platform.mockRestore())
    expect(press(option, field())).toBe(true)
    expect(takeTypedAhead()).toBe('ß')
  })

  test('other keys with Ctrl do as ever', () => {
    openPalette()
    expect(press({key: 'v', ctrlKey: true}, field())).toBe(false)
    expect(press({key: '@', ctrlKey: true, altKey: true}, field())).toBe(true)
    expect(takeTypedAhead()).toBe('@')
  })
})
