import {act} from '@testing-library/react'
import {afterEach, expect, onTestFinished, test, vi} from 'vitest'
import {shownKeysOf, useKeyList} from '#app/commands/command-keys.ts'
import {offerCommands} from '#browser/commands.ts'
import {pressKey} from '#browser/key-press.ts'
import {keyboardLayout, readKeyboardLayout} from '#browser/keyboard-layout.ts'
import {keyBindings} from '#browser/remembered-value.ts'
import {renderView} from '#tests/ui/render.tsx'

afterEach(() => keyBindings.set({}))

test('keys are written as they stand on the keyboard', () => {
  expect(shownKeysOf('stop')).toBe('Esc')
  keyBindings.set({find: 'Alt+ArrowUp'})
  expect(shownKeysOf('find')).toBe('Alt ↑')
})

test.each<[keys: string, layout: Record<string, string>, shown: string]>([
  ['Alt+E', {}, '⌥ E'],
  ['Alt+Backquote', {}, '⌥ `'],
  ['Alt+Shift+Slash', {}, '⌥ ⇧ /'],
  ['Mod+Alt+1', {}, '⌘ ⌥ 1'],
  ['Mod+/', {}, '⌘ /'],
  ['Alt+Q', {KeyQ: 'a'}, '⌥ A'],
  ['Mod+Q', {KeyQ: 'a'}, '⌘ Q'],
  ['Alt+K', {KeyK: 'л'}, '⌥ K'],
  ['Alt+BracketLeft', {BracketLeft: 'ü'}, '⌥ ü'],
  ['Alt+F8', {KeyF: 'u'}, '⌥ F8'],
  ['Mod++', {}, '⌘ +'],
])('on a Mac %s is written as its keyboard has it (%o)', (keys, layout, shown) => {
  const platform = vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
  keyboardLayout.set(new Map(Object.entries(layout)))
  onTestFinished(() => {
    platform.mockRestore()
    keyboardLayout.set(new Map())
  })
  keyBindings.set({find: keys})
  expect(shownKeysOf('find')).toBe(shown)
})

test('elsewhere a letter is that of the layout already, and a dead key has that of its own position', () => {
  keyboardLayout.set(new Map(Object.entries({KeyQ: 'a', Backquote: '^'})))
  onTestFinished(() => keyboardLayout.set(new Map()))
  const shown = (keys: string) => {
    keyBindings.set({find: keys})
    return shownKeysOf('find')
  }
  expect([shown('Alt+Q'), shown('Mod+Backquote')]).toEqual(['Alt Q', 'Ctrl ^'])
})

test('the layout is that of the browser, where it says it', async () => {
  await readKeyboardLayout()
  expect(keyboardLayout.get().size).toBe(0)
  const answers = [() => Promise.resolve(new Map([['KeyQ', 'a']])), () => Promise.reject(new Error('refused'))]
  Object.assign(navigator, {keyboard: {getLayoutMap: () => answers.shift()?.()}})
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'keyboard')
    keyboardLayout.set(new Map())
  })
  for (const _ of [1, 2]) await readKeyboardLayout()
  expect(keyboardLayout.get().get('KeyQ')).toBe('a')
})

test('an open list changes no keys that another tab has changed since', () => {
  const lists: ReturnType<typeof useKeyList>[] = []
  function List() {
    lists.push(useKeyList())
    return null
  }
  renderView(<List />)
  localStorage.setItem('atrium.keys', 'find=F9')
  act(() => void dispatchEvent(new StorageEvent('storage', {key: 'atrium.keys', newValue: 'find=F9'})))
  expect(lists.at(-1)?.commands.find(({id}) => id === 'find')?.keys).toBe('F9')
  act(() => lists.at(-1)?.onChange('copyLast'))
  act(() => lists.at(-1)?.onPress(new KeyboardEvent('keydown', {key: 'F8', code: 'F8'})))
  expect(keyBindings.get()).toEqual({find: 'F9', copyLast: 'F8'})
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
    'D R S U X 1 … 9 Actions of a card of a tool',
    'F6 Go to the notifications',
    'F2 Conversations: Rename',
    'Delete Conversations: Delete',
    'Space Conversations: Select',
    'Alt ↑ Next questions: Move up',
    'Alt ↓ Next questions: Move down',
    '⇧ ↵ Model: Favourites',
  ])
})

test.each([
  ['ArrowUp', true, 'Alt ↑ is used for “Next questions: Move up”. Choose other keys.'],
  ['ArrowDown', true, 'Alt ↓ is used for “Next questions: Move down”. Choose other keys.'],
  ['j', false, 'J is used for “Next or previous card of a tool”. Choose other keys.'],
  ['k', false, 'K is used for “Next or previous card of a tool”. Choose other keys.'],
  ['r', false, 'R is used for “Actions of a card of a tool”. Choose other keys.'],
  ['F2', false, 'F2 is used for “Conversations: Rename”. Choose other keys.'],
  ['Delete', false, 'Delete is used for “Conversations: Delete”. Choose other keys.'],
  ['F5', false, 'F5 belongs to the browser. Choose other keys.'],
])('%s of a view or the browser is refused with what uses it', (key, altKey, refusal) => {
  let list: ReturnType<typeof useKeyList> | undefined
  function List() {
    list = useKeyList()
    return null
  }
  renderView(<List />)
  act(() => list?.onChange('find'))
  act(() => list?.onPress(new KeyboardEvent('keydown', {key, altKey})))
  expect(list?.commands.find(({id}) => id === 'find')).toEqual({
    refusal,
    isChanged: false,
    id: 'find',
    label: 'Find in conversation',
    keys: 'Ctrl ⇧ F',
    isAwaited: true,
  })
})

test('keys that were chosen before something else had them are named with what has them, until others are chosen', () => {
  keyBindings.set({find: 'Alt+ArrowUp', copyLast: 'Mod+K', stop: 'Mod+E'})
  let list: ReturnType<typeof useKeyList> | undefined
  function List() {
    list = useKeyList()
    return null
  }
  renderView(<List />)
  const command = (id: string) => list?.commands.find((each) => each.id === id)
  const inUse = 'Alt ↑ is used for “Next questions: Move up”. Choose other keys.'
  expect(command('find')).toEqual({
    refusal: inUse,
    keys: 'Alt ↑',
    isAwaited: false,
    id: 'find',
    label: 'Find in conversation',
    isChanged: true,
  })
  expect(command('copyLast')?.refusal).toContain('Ctrl K')
  for (const id of ['stop', 'palette', 'undo']) expect(command(id)).not.toHaveProperty('refusal')
  act(() => list?.onChange('find'))
  expect(command('find')).toEqual({
    isAwaited: true,
    id: 'find',
    label: 'Find in conversation',
    keys: 'Alt ↑',
    isChanged: true,
  })
  expect(command('find')).not.toHaveProperty('refusal')
  act(() => list?.onPress(new KeyboardEvent('keydown', {key: 'e', ctrlKey: true, altKey: true})))
  expect(command('find')).not.toHaveProperty('refusal')
  expect(keyBindings.get().find).toBe('Mod+Alt+E')
})

test('of two commands with the same keys, the one that they do not run says so', () => {
  keyBindings.set({newChat: 'Mod+Shift+F'})
  let list: ReturnType<typeof useKeyList> | undefined
  function List() {
    list = useKeyList()
    return null
  }
  renderView(<List />)
  const ends = [vi.fn(), vi.fn()]
  const [newChat, find] = ends
  onTestFinished(offerCommands({newChat, find}))
  pressKey(new KeyboardEvent('keydown', {key: 'F', code: 'KeyF', ctrlKey: true, shiftKey: true}))
  expect(ends.map(({mock}) => mock.calls.length)).toEqual([1, 0])
  const command = (id: string) => list?.commands.find((each) => each.id === id)
  expect(command('find')).toEqual({
    isChanged: false,
    refusal: expect.stringContaining('New chat'),
    id: 'find',
    label: 'Find in conversation',
    keys: 'Ctrl ⇧ F',
    isAwaited: false,
  })
  expect(command('newChat')).not.toHaveProperty('refusal')
})
