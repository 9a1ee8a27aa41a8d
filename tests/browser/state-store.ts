import {afterEach, beforeEach, expect, vi} from 'vitest'
import {createStateStorage, type StateRules} from '#browser/storage.ts'
import {timersOf} from '#tests/timers-of.ts'
import {createFakeStorage} from './fake-storage.ts'

export type State = {token?: {access: string}; site?: {title: string}; chat?: {conversations: string[]}}

const isShaped: Record<string, (slice: unknown) => boolean> = {
  token: (slice) => typeof (slice as {access?: unknown})?.access === 'string',
  site: (slice) => typeof (slice as {title?: unknown})?.title === 'string',
  chat: (slice) => Array.isArray((slice as {conversations?: unknown})?.conversations),
}
export const rules: StateRules<State> = {
  validate: (stored) => {
    const known = Object.entries(stored).filter(([name]) => name in isShaped)
    return {
      state: Object.fromEntries(known.filter(([name, slice]) => isShaped[name]?.(slice))),
      broken: known.filter(([name, slice]) => !isShaped[name]?.(slice)).map(([name]) => name),
    }
  },
  bound: (state) =>
    state.chat === undefined ? state : {...state, chat: {conversations: state.chat.conversations.slice(0, 3)}},
  shrink: (state) =>
    state.chat === undefined || state.chat.conversations.length === 0
      ? undefined
      : {...state, chat: {conversations: state.chat.conversations.slice(0, -1)}},
  foreign: (stored) => Object.fromEntries(Object.entries(stored).filter(([name]) => !(name in isShaped))),
  isOfBrowser: (slice) => slice === 'site',
}

/** A store of three slices on a fake storage of the browser. */
export const setUp = (fake = createFakeStorage()) => {
  const log = vi.fn()
  const open = (storage: Storage | undefined = fake.storage) =>
    createStateStorage({storage, view: window, rules, now: () => 1000, log})
  const stored = () => JSON.parse(fake.items.get('vuex') ?? 'null') as unknown
  return {...fake, log, open, stored}
}

const stores: {close(): void}[] = []
/** Closes a store with its test. */
export const track = <T extends {close(): void}>(store: T) => {
  stores.push(store)
  return store
}

/** Time stands still in each test of a file, and no store leaves a timer behind. */
export function stopTime() {
  let ownTimers: () => number
  beforeEach(() => {
    vi.useFakeTimers()
    ownTimers = timersOf('src/browser/storage.ts')
  })
  afterEach(() => {
    for (const store of stores.splice(0)) store.close()
    expect(ownTimers()).toBe(0)
    vi.useRealTimers()
  })
}
