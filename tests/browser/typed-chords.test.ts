import {afterEach, expect, onTestFinished, test, vi} from 'vitest'
import {offerCommands} from '#browser/commands.ts'
import {pressKey} from '#browser/key-press.ts'
import {keyBindings} from '#browser/remembered-value.ts'

/* Keys with Option that were chosen when they were stored by what they type. */

const onMac = () => vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')

afterEach(() => {
  vi.restoreAllMocks()
  keyBindings.set({})
})

type Row = [what: string, stored: string, press: KeyboardEventInit, now: string]
test.each<Row>([
  ['⌥1', 'Alt+¡', {altKey: true, key: '¡', code: 'Digit1'}, 'Alt+1'],
  ['⌥⇧1', 'Alt+⁄', {altKey: true, shiftKey: true, key: '⁄', code: 'Digit1'}, 'Alt+Shift+1'],
  ['⌥/', 'Alt+÷', {altKey: true, key: '÷', code: 'Slash'}, 'Alt+Slash'],
  ['⌘⌥=', 'Mod+Alt+≠', {altKey: true, metaKey: true, key: '≠', code: 'Equal'}, 'Mod+Alt+Equal'],
])('%s runs its command still, and is stored by its position', (_what, stored, init, now) => {
  onMac()
  const run = vi.fn()
  onTestFinished(offerCommands({newChat: run}))
  keyBindings.set({newChat: stored, copyLast: 'Alt+K'})
  const event = () => new KeyboardEvent('keydown', {cancelable: true, ...init})
  pressKey(event())
  expect(run).toHaveBeenCalledOnce()
  expect(keyBindings.get()).toEqual({newChat: now, copyLast: 'Alt+K'})
  pressKey(event())
  expect(run).toHaveBeenCalledTimes(2)
})

test('a sign that no command has changes nothing', () => {
  onMac()
  keyBindings.set({newChat: 'Alt+¡'})
  pressKey(new KeyboardEvent('keydown', {altKey: true, key: '™', code: 'Digit2'}))
  expect(keyBindings.get()).toEqual({newChat: 'Alt+¡'})
})
