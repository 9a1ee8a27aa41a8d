import {afterEach, expect, test} from 'vitest'
import {shownKeysOf} from '#app/commands/command-keys.ts'
import {keyBindings} from '#browser/remembered.ts'

afterEach(() => keyBindings.set({}))

test('keys are written as they stand on the keyboard', () => {
  expect(shownKeysOf('stop')).toBe('Esc')
  keyBindings.set({find: 'Alt+ArrowUp'})
  expect(shownKeysOf('find')).toBe('Alt ↑')
})
