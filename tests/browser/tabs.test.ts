import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {createTabLock} from '#browser/locks.ts'
import {createLeaseLock} from '#browser/without-locks.ts'
import {createTabs, type TabFact} from '#browser/tabs.ts'
import {createFakeStorage} from './fake-storage.ts'

/** A BroadcastChannel within one page: what one end posts the others hear, never itself. */
const createBus = () => {
  const ends = new Set<EventTarget>()
  return (): BroadcastChannel => {
    const end = new EventTarget()
    ends.add(end)
    const postMessage = (data: unknown) => {
      for (const other of ends) if (other !== end) other.dispatchEvent(new MessageEvent('message', {data}))
    }
    return Object.assign(end, {postMessage, close: () => ends.delete(end)}) as unknown as BroadcastChannel // what tabs use of it
  }
}

describe('tabs', () => {
  let count = 0
  const options = {view: window, storage: undefined, createId: () => String((count += 1))}
  const ended: TabFact = {type: 'session.ended', epoch: 3}

  test('facts reach the other tabs and not this one', () => {
    const createChannel = createBus()
    const [here, there] = [createTabs({...options, createChannel}), createTabs({...options, createChannel})]
    const seen: string[] = []
    here.facts$.subscribe(({type}) => seen.push(`here ${type}`))
    const subscription = there.facts$.subscribe(({type}) => seen.push(`there ${type}`))
    here.tell(ended)
    here.tell({type: 'token.stored', epoch: 3})
    subscription.unsubscribe()
    here.tell(ended)
    expect(seen).toEqual(['there session.ended', 'there token.stored'])
    here.close()
    there.close()
  })

  test('without a channel they travel as storage events, equal ones too', () => {
    const {storage, items} = createFakeStorage()
    const here = createTabs({...options, storage, createChannel: undefined})
    const there = createTabs({...options, storage, createChannel: undefined})
    const seen: TabFact[] = []
    const subscription = there.facts$.subscribe((fact) => seen.push(fact))
    const written = new Set<string>()
    for (let time = 0; time < 2; time += 1) {
      here.tell(ended)
      const newValue = items.get('atrium.tabs') ?? ''
      written.add(newValue)
      window.dispatchEvent(new StorageEvent('storage', {key: 'atrium.tabs', newValue}))
    }
    subscription.unsubscribe()
    expect(seen).toEqual([ended, ended])
    expect(written.size).toBe(2)
  })

  test.each([
    undefined,
    null,
    'x',
    {type: 'session.ended'},
    {type: 'session.ended', epoch: '3'},
    {type: 'other', epoch: 1},
    {type: 'message.restored', conversation: 'a'},
  ])('%j is no fact', (data) => {
    const createChannel = createBus()
    const tabs = createTabs({...options, createChannel})
    const seen = vi.fn()
    tabs.facts$.subscribe(seen)
    createChannel().postMessage(data)
    window.dispatchEvent(
      new StorageEvent('storage', {key: 'atrium.tabs', newValue: JSON.stringify({fact: data ?? null})}),
    )
    window.dispatchEvent(new StorageEvent('storage', {key: 'atrium.tabs', newValue: '{'}))
    expect(seen).not.toHaveBeenCalled()
    tabs.close()
  })

  test('a forbidden storage is no failure', () => {
    const {storage, state} = createFakeStorage()
    state.isForbidden = true
    expect(() => createTabs({...options, storage, createChannel: undefined}).tell(ended)).not.toThrow()
  })
})

/** Web locks of several tabs, with the rules used here: one holder, a queue, `signal` and `steal`. */
const createFakeLocks = () => {
  let holder: {lose: (reason: Error) => void} | undefined
  const queue: (() => void)[] = []
  const request = (_name: string, options: LockOptions, callback: () => Promise<unknown>) =>
    new Promise<unknown>((resolve, reject) => {
      const hold = () => {
        const mine = {lose: reject}
        holder = mine
        const release = () => {
          if (holder !== mine) return
          holder = undefined
          queue.shift()?.()
        }
        Promise.resolve(callback()).then(resolve, reject).finally(release)
      }
      if (options.steal === true) {
        holder?.lose(new DOMException('The lock was stolen.', 'AbortError'))
        hold()
      } else if (holder === undefined) hold()
      else {
        queue.push(hold)
        options.signal?.addEventListener('abort', () => {
          queue.splice(queue.indexOf(hold), 1)
          reject(options.signal?.reason as Error)
        })
      }
    })
  return {request} as unknown as LockManager // what the adapter uses of it
}

const createDeferred = <T>() => {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return {promise, resolve}
}

describe.each(['web locks', 'a lease'])('the lock of %s', (kind) => {
  beforeEach(() => {
    vi.useFakeTimers({now: 1_000_000})
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const createLockPair = (fake = createFakeStorage()) => {
    let id = 0
    const locks = kind === 'web locks' ? createFakeLocks() : undefined
    const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds))
    const open = () =>
      createTabLock(locks, sleep, async () =>
        createLeaseLock({
          storage: fake.storage,
          now: () => Date.now(),
          sleep,
          createId: () => `owner-${(id += 1)}`,
        }),
      )
    return [open(), open()] as const
  }

  test('one after the other', async () => {
    const [here, there] = createLockPair()
    const steps: string[] = []
    const first = createDeferred<string>()
    const a = here('refresh', async () => {
      steps.push('a starts')
      const value = await first.promise
      steps.push('a ends')
      return value
    })
    await vi.advanceTimersByTimeAsync(200)
    const b = there('refresh', async () => {
      steps.push('b starts')
      return 'b'
    })
    await vi.advanceTimersByTimeAsync(1000)
    expect(steps).toEqual(['a starts'])
    first.resolve('a')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await Promise.all([a, b])).toEqual(['a', 'b'])
    expect(steps).toEqual(['a starts', 'a ends', 'b starts'])
  })

  test('two that ask in the same instant', async () => {
    const locks = createLockPair()
    let running = 0
    let most = 0
    const results = locks.map((lock, index) =>
      lock('refresh', async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((done) => setTimeout(done, 500))
        running -= 1
        return index
      }),
    )
    await vi.advanceTimersByTimeAsync(5000)
    expect(await Promise.all(results)).toEqual([0, 1])
    expect(most).toBe(1)
  })

  test('work that fails gives its error and lets the next one in', async () => {
    const [here, there] = createLockPair()
    const failed = here('refresh', () => Promise.reject(new Error('foo'))).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(200)
    expect(await failed).toEqual(new Error('foo'))
    const next = there('refresh', async () => 'b')
    await vi.advanceTimersByTimeAsync(200)
    expect(await next).toBe('b')
  })

  test('a holder that hangs for ten seconds is passed by; what it answers at last still counts', async () => {
    const [here, there] = createLockPair()
    const frozen = createDeferred<string>()
    const a = here('refresh', () => frozen.promise)
    await vi.advanceTimersByTimeAsync(200)
    const work = vi.fn(async () => 'b')
    const b = there('refresh', work)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(work).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await b).toBe('b')
    frozen.resolve('a')
    await vi.advanceTimersByTimeAsync(100)
    expect(await a).toBe('a')
  })
})

test('a tab that waits for a web lock begins when what its holder stored has reached every tab', async () => {
  vi.useFakeTimers({now: 1_000_000})
  const locks = createFakeLocks()
  const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds))
  const open = () => createTabLock(locks, sleep, () => Promise.reject(new Error('unused with web locks')))
  let seen = 'old'
  const written = open()('refresh', async () => {
    setTimeout(() => {
      seen = 'new'
    }, 100)
    return 'new'
  })
  const read = open()('refresh', async () => seen)
  await vi.advanceTimersByTimeAsync(0)
  expect(await written).toBe('new')
  expect(seen).toBe('old')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await read).toBe('new')
  vi.useRealTimers()
})

test('a lease of a tab that died ends by itself', async () => {
  vi.useFakeTimers({now: 1_000_000})
  const {storage, items} = createFakeStorage()
  items.set('atrium.lease.refresh', JSON.stringify({owner: 'dead', until: 1_003_000}))
  const lock = createLeaseLock({
    storage,
    now: () => Date.now(),
    sleep: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
    createId: () => 'me',
  })
  const work = vi.fn(async () => 'a')
  const done = lock('refresh', work)
  await vi.advanceTimersByTimeAsync(2_900)
  expect(work).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(300)
  expect(await done).toBe('a')
  expect(items.has('atrium.lease.refresh')).toBe(false)
  vi.useRealTimers()
})

test('without any storage the work simply runs', async () => {
  const lock = createLeaseLock({
    storage: undefined,
    now: () => 0,
    sleep: async () => undefined,
    createId: () => 'me',
  })
  expect(await lock('refresh', async () => 'a')).toBe('a')
})

test('where nothing stands in for the locks the work simply runs, and a failure of it counts', async () => {
  const lock = createTabLock(
    undefined,
    async () => undefined,
    () => Promise.reject(new Error('gone')),
  )
  expect(await lock('refresh', async () => 'a')).toBe('a')
  await expect(lock('refresh', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})
