import {afterEach, expect, test} from 'vitest'
import {shownKeysOf, useKeyList} from '#app/commands/command-keys.ts'
import {keyBindings} from '#browser/remembered.ts'
import {renderView} from '#tests/ui/render.tsx'

afterEach(() => keyBindings.set({}))

test('keys are written as they stand on the keyboard', () => {
  expect(shownKeysOf('stop')).toBe('Esc')
  keyBindings.set({find: 'Alt+ArrowUp'})
  expect(shownKeysOf('find')).toBe('Alt ↑')
})

test('the keys of rows, waiting questions and models are listed with those that stay as they are', () => {
  const lists: ReturnType<typeof useKeyList>['fixed'][] = []
  function List() {
    lists.push(useKeyList().fixed)
    return null
  }
  renderView(<List />)
  expect(lists.at(-1)?.map(({keys, label}) => `${keys} ${label}`)).toEqual([
    'Ctrl ↵ Send or generate',
    '↑ Edit the last question (in the empty field)',
    'J K Next or previous card of a tool',
    'F6 Go to the notifications',
    'F2 Conversations: Rename',
    'Delete Conversations: Delete',
    'Space Conversations: Select',
    'Alt ↑ Next questions: Move up',
    'Alt ↓ Next questions: Move down',
    '⇧ ↵ Model: Favourites',
  ])
})
