import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createLabelColours} from '#app/chat/label-colours.ts'
import {createStateStorage} from '#browser/storage.ts'
import {boundState, foreignParts, isOfBrowser, shrinkState, validateState} from '#domain/persisted-state.ts'
import {labelColours, withColours} from '#features/chat/list/labels.ts'
import {createFakeStorage} from './fake-storage.ts'

const rules = {validate: validateState, bound: boundState, shrink: shrinkState, foreign: foreignParts, isOfBrowser}
const log = vi.fn()
const fake = createFakeStorage()
const states: {close(): void}[] = []

/** Opens a tab with a list of conversations. */
const openTab = () => {
  const state = createStateStorage({storage: fake.storage, view: window, rules, now: Date.now, log})
  states.push(state)
  const store = createLabelColours({state})
  return (labels: string[]) => {
    const stored = store.read()
    const next = withColours(stored, labels)
    if (next !== stored) store.write(next)
    return labelColours(labels, store.read())
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  fake.storage.clear()
})
afterEach(() => {
  for (const state of states.splice(0)) state.close()
  vi.useRealTimers()
  vi.clearAllMocks()
})

test('a label keeps its colour when one that has the same by its name comes in the next moment', () => {
  const show = openTab()
  const colour = show(['f']).get('f')
  expect(show(['a', 'f']).get('f')).toBe(colour)
  vi.advanceTimersByTime(1_000)
  expect(openTab()(['a', 'f']).get('f')).toBe(colour)
})

test('no tab drops what another one gave in the same moment', () => {
  const [first, second] = [openTab(), openTab()]
  const colour = first(['f', 'a']).get('a')
  second(['f', 'c'])
  vi.advanceTimersByTime(1_000)
  expect(first(['a', 'c', 'f']).get('a')).toBe(colour)
})

test('a name that is too long to be stored costs no other label its colour, and is not written again and again', () => {
  const show = openTab()
  const long = 'x'.repeat(1_001)
  const colour = show(['f', long]).get('f')
  const before = fake.items.get('vuex')
  vi.advanceTimersByTime(1_000)
  expect(show(['a', 'f', long]).get('f')).toBe(colour)
  const stored = fake.items.get('vuex')
  vi.advanceTimersByTime(1_000)
  expect(show(['a', 'f', long]).has(long)).toBe(true)
  expect(fake.items.get('vuex')).toBe(stored)
  expect(before).not.toBe(stored)
  expect(log).not.toHaveBeenCalled()
})
