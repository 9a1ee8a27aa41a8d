import {beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest'
import {offerCommands, type CommandId} from '#browser/commands.ts'
import {listenToKeys} from '#browser/key-listener.ts'
import {keyBindings} from '#browser/remembered-value.ts'
import {takeTypedAhead} from '#browser/typed-ahead.ts'

/** The page has just been loaded: the code of the keys is not there. */
const freshPage = () => {
  const page = document.body.appendChild(document.createElement('main'))
  page.append(document.createElement('textarea'))
  onTestFinished(() => {
    takeTypedAhead()
    keyBindings.set({})
  })
  const prepareKeys = listenToKeys(page)
  // a page that another file has started in this worker hears its window
  page.addEventListener('keydown', (event) => event.stopPropagation())
  return {prepareKeys}
}

const field = () => document.querySelector('textarea') ?? document.body

const press = (init: KeyboardEventInit) => {
  const event = new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...init})
  field().dispatchEvent(event)
  return event.defaultPrevented
}
const typeKeys = (...keys: string[]) => keys.map((key) => press({key}))
const paletteKeys = {key: 'k', code: 'KeyK', ctrlKey: true}

beforeEach(() => document.body.replaceChildren())

test('what follows the keys of the palette is for it, before the code of the keys is there', async () => {
  const {prepareKeys} = freshPage()
  const [open, send] = [vi.fn(), vi.fn()]
  onTestFinished(offerCommands({palette: open}))
  expect(press(paletteKeys)).toBe(true)
  field().addEventListener('keydown', send)
  expect(typeKeys('d', 'x', 'Backspace', 'a', 'Enter')).toEqual(Array(5).fill(true))
  expect([send, open].map(({mock}) => mock.calls.length)).toEqual([0, 0])
  await prepareKeys()
  expect(open).toHaveBeenCalledOnce()
  expect(typeKeys('r')).toEqual([true])
  expect(takeTypedAhead()).toBe('dar')
  expect(typeKeys('k')).toEqual([false])
})

test('what follows the keys of the search is for its field, before and after the code of the keys is there', async () => {
  const {prepareKeys} = freshPage()
  const search = vi.fn()
  onTestFinished(offerCommands({searchList: search}))
  expect(press({key: 'L', code: 'KeyL', ctrlKey: true, shiftKey: true})).toBe(true)
  expect(typeKeys('t', 'e')).toEqual([true, true])
  await prepareKeys()
  expect(search).toHaveBeenCalledOnce()
  expect(typeKeys('a')).toEqual([true])
  expect(takeTypedAhead()).toBe('tea')
})

test.each([
  ['the keys that the user chose for it', {key: 'P', code: 'KeyP', ctrlKey: true, shiftKey: true}, true],
  ['its keys on a layout without Latin letters', {key: 'з', code: 'KeyP', ctrlKey: true, shiftKey: true}, true],
  ['its first keys, which it has no more', paletteKeys, false],
  ['its letter alone', {key: 'p', code: 'KeyP'}, false],
  ['its letter with other keys', {key: 'p', code: 'KeyP', ctrlKey: true, altKey: true, shiftKey: true}, false],
])('%s', async (_name, keys, isTaken) => {
  const {prepareKeys} = freshPage()
  keyBindings.set({palette: 'Mod+Shift+P'})
  expect(press(keys)).toBe(isTaken)
  expect(typeKeys('a')).toEqual([isTaken])
  await prepareKeys()
})

test('where nothing offers the palette, keys are typed as ever once the code of the keys is there', async () => {
  const {prepareKeys} = freshPage()
  press(paletteKeys)
  await prepareKeys()
  expect(typeKeys('a')).toEqual([false])
})

test.each([
  ['during a composition', {...paletteKeys, isComposing: true}, false],
  ['that ends a composition in Safari', {...paletteKeys, keyCode: 229}, false],
  ['that repeats a press before this page', {...paletteKeys, repeat: true}, true],
])('a press of the palette’s keys %s takes away nothing that is typed after it', async (_name, keys, isTaken) => {
  const {prepareKeys} = freshPage()
  const open = vi.fn()
  onTestFinished(offerCommands({palette: open}))
  expect(press(keys)).toBe(isTaken)
  expect(typeKeys('a')).toEqual([false])
  await prepareKeys()
  expect(typeKeys('b')).toEqual([false])
  expect(open).not.toHaveBeenCalled()
})

describe('keys that a user chose are taken from the browser before the code of the keys is there', () => {
  const onApple = () => {
    const platform = vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
    onTestFinished(() => platform.mockRestore())
  }

  test.each<[keys: string, press: KeyboardEventInit, platform?: () => void]>([
    ['Alt+K', {key: 'k', code: 'KeyK', altKey: true}],
    ['Alt+K', {key: 'л', code: 'KeyK', altKey: true}],
    ['Alt+K', {key: '˚', code: 'KeyK', altKey: true}, onApple],
    ['Alt+E', {key: 'Dead', code: 'KeyE', altKey: true, keyCode: 229}, onApple],
    ['F8', {key: 'F8', code: 'F8'}],
    ['Mod+Alt+K', {key: 'k', code: 'KeyK', ctrlKey: true, altKey: true}],
    ['Mod+Alt+K', {key: 'κ', code: 'KeyK', ctrlKey: true, altKey: true}],
    ['Mod+Alt+2', {key: 'é', code: 'Digit2', ctrlKey: true, altKey: true}],
    ['Mod+/', {key: '/', code: 'Slash', ctrlKey: true}],
    ['Mod+/', {key: '/', code: 'Digit7', metaKey: true, shiftKey: true}, onApple],
    ['Mod+Shift+U', {key: 'Г', code: 'KeyU', ctrlKey: true, shiftKey: true}],
    ['Mod+E', {key: 'e', code: 'KeyE', ctrlKey: true}],
  ])('%s as %o', async (keys, init, platform) => {
    platform?.()
    for (const command of ['palette', 'find'] satisfies CommandId[]) {
      const {prepareKeys} = freshPage()
      keyBindings.set({[command]: keys})
      const run = vi.fn()
      onTestFinished(offerCommands({[command]: run}))
      expect(press({...init, metaKey: init.metaKey !== true})).toBe(false)
      expect(press(init)).toBe(true)
      await prepareKeys()
      expect(run).toHaveBeenCalledOnce()
      takeTypedAhead()
      document.body.replaceChildren()
    }
  })

  test.each<[keys: string, press: KeyboardEventInit]>([
    ['of one character', {key: '/', code: 'Slash'}],
    ['that stop', {key: 'Escape', code: 'Escape'}],
    ['that undo', {key: 'z', code: 'KeyZ', ctrlKey: true}],
    ['of no command', {key: 'e', code: 'KeyE', altKey: true}],
  ])('but not those %s: a field has a use for them', async (_keys, init) => {
    const {prepareKeys} = freshPage()
    const run = vi.fn()
    onTestFinished(offerCommands({focusField: run, stop: run, undo: run}))
    expect(press(init)).toBe(false)
    await prepareKeys()
  })

  test('other keys end no wait for the palette', async () => {
    const {prepareKeys} = freshPage()
    keyBindings.set({find: 'Alt+K'})
    onTestFinished(offerCommands({palette: () => undefined}))
    press(paletteKeys)
    typeKeys('d')
    expect(press({key: 'k', code: 'KeyK', altKey: true})).toBe(true)
    await prepareKeys()
    typeKeys('a')
    expect(takeTypedAhead()).toBe('da')
  })
})
