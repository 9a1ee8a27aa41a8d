import {describe, expect, test} from 'vitest'
import {createStateStorage, openStorage} from '#browser/storage.ts'
import {rules, setUp, stopTime, track, type State} from './state-store.ts'

stopTime()

describe('a store that fails', () => {
  test('full: the oldest goes, the token stays', () => {
    const {open, state, stored} = setUp()
    const store = track(open())
    state.quota = 130
    store.save({token: {access: 'foo'}, chat: {conversations: ['c'.repeat(20), 'b'.repeat(20), 'a'.repeat(20)]}})
    store.flush()
    expect(stored()).toEqual({
      token: {access: 'foo'},
      chat: {conversations: ['c'.repeat(20)]},
      _meta: {v: 1, epoch: 0, savedAt: expect.any(Number)},
    })
    expect(store.isVolatile()).toBe(false)
  })

  test('full whatever goes: lasts until the page is left, and writes again when there is room', () => {
    const {open, state, stored, log} = setUp()
    const store = track(open())
    state.quota = 10
    store.save({token: {access: 'foo'}})
    store.flush()
    expect([stored(), store.isVolatile(), log.mock.calls.length]).toEqual([null, true, 1])
    expect(store.read()).toEqual({token: {access: 'foo'}})
    state.quota = 1000
    store.save({site: {title: 'bar'}})
    store.flush()
    expect(stored()).toEqual({
      token: {access: 'foo'},
      site: {title: 'bar'},
      _meta: {v: 1, epoch: 0, savedAt: expect.any(Number)},
    })
    expect(store.isVolatile()).toBe(false)
  })

  test('forbidden from the start', () => {
    const {state, storage} = setUp()
    state.isForbidden = true
    expect(openStorage('localStorage', {localStorage: storage} as unknown as Window)).toBeUndefined() // a window is more than that
    const store = track(
      createStateStorage<State>({storage: undefined, view: window, rules, now: () => 0, log: () => undefined}),
    )
    store.save({token: {access: 'foo'}})
    store.flush()
    expect(store.read()).toEqual({token: {access: 'foo'}})
    expect(store.isVolatile()).toBe(true)
    expect(store.endSession()).toBe(1)
    expect(store.read()).toEqual({})
  })

  test.each(['forbidden', 'full'])('%s: the sign-out of another tab empties the memory of the user too', (fault) => {
    const {state, storage: full} = setUp()
    state.quota = 10
    const storage = fault === 'full' ? full : undefined
    const store = track(createStateStorage({storage, view: window, rules, now: () => 0, log: () => undefined}))
    store.save({token: {access: 'foo'}, chat: {conversations: ['a']}, site: {title: 'bar'}})
    store.flush()
    expect([store.isVolatile(), store.read().token]).toEqual([true, {access: 'foo'}])
    store.adoptEpoch(1)
    expect(store.read()).toEqual({site: {title: 'bar'}})
    expect([store.epoch(), store.storedEpoch()]).toEqual([1, 1])
  })

  test('full: the sign-out of another tab is seen, and nothing of its user is written after it', () => {
    const {open, state, stored} = setUp()
    const store = track(open())
    store.save({token: {access: 'foo'}})
    store.flush()
    state.quota = 10
    store.save({chat: {conversations: ['a']}})
    store.flush()
    expect(store.isVolatile()).toBe(true)
    state.quota = 1000
    track(open()).endSession()
    expect([store.storedEpoch(), store.read()]).toEqual([1, {}])
    store.save({site: {title: 'bar'}})
    expect(store.flush()).toBe(false)
    expect(stored()).toEqual({_meta: {v: 1, epoch: 1, savedAt: expect.any(Number)}})
  })

  test('full: what another tab stores meanwhile is not written over with what was there before', () => {
    const {open, state, stored} = setUp()
    const store = track(open())
    store.save({token: {access: 'foo'}})
    store.flush()
    state.quota = 10
    store.save({site: {title: 'bar'}})
    store.flush()
    state.quota = 1000
    const other = track(open())
    other.save({token: {access: 'refreshed'}})
    other.flush()
    expect(store.read()).toEqual({token: {access: 'refreshed'}, site: {title: 'bar'}})
    store.save({chat: {conversations: ['a']}})
    store.flush()
    expect(stored()).toMatchObject({
      token: {access: 'refreshed'},
      site: {title: 'bar'},
      chat: {conversations: ['a']},
    })
  })

  test('forbidden later: nothing throws', () => {
    const {open, state} = setUp()
    const store = track(open())
    store.save({token: {access: 'foo'}})
    store.flush()
    state.isForbidden = true
    store.save({site: {title: 'bar'}})
    expect(store.flush()).toBe(true)
    expect(store.read()).toEqual({token: {access: 'foo'}, site: {title: 'bar'}})
  })

  test('a window that throws when asked for its storage', () => {
    const view = Object.defineProperty({}, 'sessionStorage', {
      get: () => {
        throw new DOMException('no', 'SecurityError')
      },
    })
    expect(openStorage('sessionStorage', view as Window)).toBeUndefined() // a window is more than that
    expect(openStorage('sessionStorage')).toBe(window.sessionStorage)
  })
})
