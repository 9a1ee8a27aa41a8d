import {describe, expect, test, vi} from 'vitest'
import {createStateStorage} from '#browser/storage.ts'
import {rules, setUp, stopTime, track} from './state-store.ts'

stopTime()

describe('reading', () => {
  test('a text is validated once, however often it is read, and anew when another tab changed it', () => {
    const {storage, items, log} = setUp()
    const text = (title: string) => JSON.stringify({site: {title}, _meta: {v: 1, epoch: 0, savedAt: 1}})
    items.set('vuex', text('foo'))
    const validate = vi.fn(rules.validate)
    const store = track(createStateStorage({storage, view: window, rules: {...rules, validate}, now: () => 1, log}))
    expect([store.read(), store.read(), store.read()]).toEqual(Array(3).fill({site: {title: 'foo'}}))
    expect(validate).toHaveBeenCalledTimes(1)
    items.set('vuex', text('bar'))
    expect(store.read()).toEqual({site: {title: 'bar'}})
    expect(validate).toHaveBeenCalledTimes(2)
  })
})

describe('writing', () => {
  test('a store that was emptied under an open page is written again whole', () => {
    const {open, items, stored} = setUp()
    const store = track(open())
    store.save({token: {access: 'foo'}})
    store.flush()
    items.clear()
    expect(store.read()).toEqual({token: {access: 'foo'}})
    store.save({site: {title: 'bar'}})
    store.flush()
    expect(stored()).toEqual({
      token: {access: 'foo'},
      site: {title: 'bar'},
      _meta: {v: 1, epoch: 0, savedAt: expect.any(Number)},
    })
  })

  test('what a newer version stored stays, under its version, until a user signs out', () => {
    const {open, items, stored} = setUp()
    items.set('vuex', JSON.stringify({token: {access: 'foo'}, later: {foo: 1}, _meta: {v: 7, epoch: 0, savedAt: 1}}))
    const store = track(open())
    store.save({site: {title: 'bar'}})
    store.flush()
    expect(stored()).toEqual({
      token: {access: 'foo'},
      site: {title: 'bar'},
      later: {foo: 1},
      _meta: {v: 7, epoch: 0, savedAt: 1000},
    })
    store.endSession()
    expect(stored()).toEqual({site: {title: 'bar'}, _meta: {v: 7, epoch: 1, savedAt: 1000}})
  })

  test('each time that nothing can be stored any more is told, and at once where it is so from the start', () => {
    const {open, state} = setUp()
    const store = track(open())
    let count = 0
    const subscription = store.volatile$.subscribe(() => (count += 1))
    const save = (access: string) => {
      store.save({token: {access}})
      store.flush()
      return count
    }
    expect(save('foo')).toBe(0)
    state.quota = 0
    expect([save('bar'), save('baz')]).toEqual([1, 1])
    state.quota = Number.POSITIVE_INFINITY
    expect(save('qux')).toBe(1)
    state.quota = 0
    expect(save('quux')).toBe(2)
    store.volatile$.subscribe(() => (count += 1)).unsubscribe()
    expect(count).toBe(3)
    subscription.unsubscribe()
  })

  test('slices stand at the top level, with what is ours beside them', () => {
    const {open, stored} = setUp()
    const store = track(open())
    store.save({token: {access: 'foo'}})
    store.save({site: {title: 'bar'}})
    vi.advanceTimersByTime(249)
    expect(stored()).toBeNull()
    vi.advanceTimersByTime(1)
    expect(stored()).toEqual({token: {access: 'foo'}, site: {title: 'bar'}, _meta: {v: 1, epoch: 0, savedAt: 1000}})
  })

  test('a stream of changes does not put the write off', () => {
    const {open, stored} = setUp()
    const store = track(open())
    for (let time = 0; time < 250; time += 50) {
      store.save({site: {title: String(time)}})
      vi.advanceTimersByTime(50)
    }
    expect(stored()).toEqual({site: {title: '200'}, _meta: {v: 1, epoch: 0, savedAt: expect.any(Number)}})
  })

  test('a slice is removed by undefined', () => {
    const {open, stored} = setUp()
    const store = track(open())
    store.save({token: {access: 'foo'}, site: {title: 'bar'}})
    store.save({token: undefined})
    store.flush()
    expect(stored()).toEqual({site: {title: 'bar'}, _meta: {v: 1, epoch: 0, savedAt: 1000}})
  })

  test.each(['pagehide', 'visibilitychange'])('at once on %s', (type) => {
    const {open, stored} = setUp()
    const store = track(open())
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    store.save({site: {title: 'bar'}})
    ;(type === 'pagehide' ? window : document).dispatchEvent(new Event(type))
    visibility.mockRestore()
    expect(stored()).toEqual({site: {title: 'bar'}, _meta: {v: 1, epoch: 0, savedAt: expect.any(Number)}})
  })

  test('the budget is kept', () => {
    const {open, stored} = setUp()
    const store = track(open())
    store.save({chat: {conversations: ['e', 'd', 'c', 'b', 'a']}})
    store.flush()
    expect(stored()).toEqual({
      chat: {conversations: ['e', 'd', 'c']},
      _meta: {v: 1, epoch: 0, savedAt: expect.any(Number)},
    })
  })
})

describe('reading', () => {
  test('what an older or another app stored, slice by slice', () => {
    const {open, items} = setUp()
    items.set('vuex', JSON.stringify({token: {access: 'foo'}, site: 5, unknown: {}, _meta: {v: 99, epoch: 'x'}}))
    const store = track(open())
    expect(store.read()).toEqual({token: {access: 'foo'}})
    expect(store.epoch()).toBe(0)
  })

  test('broken slices are put aside, the newest only, and the rest is kept', () => {
    const {open, items} = setUp()
    items.set('vuex.corrupt.1', 'old')
    items.set('vuex', JSON.stringify({token: 5, site: {title: 'bar'}}))
    const store = track(open())
    expect(store.read()).toEqual({site: {title: 'bar'}})
    expect(Array.from(items.keys()).sort()).toEqual(['vuex', 'vuex.corrupt.1000'])
    expect(items.get('vuex.corrupt.1000')).toBe('{"token":5}')
  })

  test.each(['{"token":', '[]', '5', 'null', ''])('%j is put aside whole', (text) => {
    const {open, items, stored} = setUp()
    items.set('vuex', text)
    const store = track(open())
    expect(store.read()).toEqual({})
    expect(items.get('vuex.corrupt.1000')).toBe(text)
    store.save({site: {title: 'bar'}})
    store.flush()
    expect(stored()).toEqual({site: {title: 'bar'}, _meta: {v: 1, epoch: 0, savedAt: expect.any(Number)}})
  })
})

describe('several tabs', () => {
  test('a write keeps the slices another tab wrote meanwhile', () => {
    const {open, stored} = setUp()
    const here = track(open())
    const there = track(open())
    here.save({token: {access: 'foo'}})
    there.save({site: {title: 'bar'}})
    here.flush()
    there.flush()
    expect(stored()).toEqual({
      token: {access: 'foo'},
      site: {title: 'bar'},
      _meta: {v: 1, epoch: 0, savedAt: expect.any(Number)},
    })
  })

  test('signing out removes what is of the user, at once, and forbids the other tab to write', () => {
    const {open, stored} = setUp()
    const here = track(open())
    const there = track(open())
    here.save({token: {access: 'foo'}, site: {title: 'bar'}, chat: {conversations: ['a']}})
    here.flush()
    there.save({chat: {conversations: ['b']}})
    expect(here.endSession()).toBe(1)
    expect(stored()).toEqual({site: {title: 'bar'}, _meta: {v: 1, epoch: 1, savedAt: 1000}})
    expect(there.flush()).toBe(false)
    there.save({token: {access: 'old'}})
    expect(there.flush()).toBe(false)
    expect(stored()).toEqual({site: {title: 'bar'}, _meta: {v: 1, epoch: 1, savedAt: 1000}})
    expect([there.epoch(), there.storedEpoch()]).toEqual([0, 1])
    there.adoptEpoch(1)
    there.save({token: {access: 'new'}})
    expect(there.flush()).toBe(true)
    expect(stored()).toEqual({
      token: {access: 'new'},
      site: {title: 'bar'},
      _meta: {v: 1, epoch: 1, savedAt: expect.any(Number)},
    })
  })

  test('a store that has not heard of the sign-out yet gives nothing of the user back', () => {
    const {open, stored} = setUp()
    const store = track(open())
    store.save({token: {access: 'foo'}, chat: {conversations: ['a']}, site: {title: 'bar'}})
    store.flush()
    store.adoptEpoch(1)
    expect(store.read()).toEqual({site: {title: 'bar'}})
    store.save({site: {title: 'baz'}})
    expect(store.flush()).toBe(true)
    expect(stored()).toEqual({site: {title: 'baz'}, _meta: {v: 1, epoch: 1, savedAt: 1000}})
  })

  test('what waited in this tab does not come back after its own sign-out', () => {
    const {open, stored} = setUp()
    const store = track(open())
    store.save({token: {access: 'foo'}})
    store.endSession()
    vi.advanceTimersByTime(1000)
    expect(stored()).toEqual({_meta: {v: 1, epoch: 1, savedAt: 1000}})
  })

  test('changes of other tabs arrive by slice, and only valid ones', () => {
    const {open, storage} = setUp()
    const store = track(open())
    const seen: unknown[] = []
    const subscription = store.changes$.subscribe((change) => seen.push(change))
    const tell = (key: string, oldValue: unknown, newValue: unknown) =>
      window.dispatchEvent(
        new StorageEvent('storage', {
          key,
          oldValue: JSON.stringify(oldValue),
          newValue: JSON.stringify(newValue),
          storageArea: storage,
        }),
      )
    tell(
      'vuex',
      {token: {access: 'a'}, site: {title: 'x'}},
      {token: {access: 'b'}, site: {title: 'x'}, chat: 5, _meta: {epoch: 2}},
    )
    tell('vuex', {token: {access: 'b'}}, {_meta: {epoch: 3}})
    tell('other', {}, {token: {access: 'c'}})
    subscription.unsubscribe()
    tell('vuex', {}, {token: {access: 'd'}})
    expect(seen).toEqual([
      {state: {token: {access: 'b'}}, epoch: 2},
      {state: {token: undefined}, epoch: 3},
    ])
  })
})
