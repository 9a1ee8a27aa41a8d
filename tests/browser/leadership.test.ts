import {describe, expect, test} from 'vitest'
import type {LeadershipFact} from '#domain/leadership.ts'
import {createLeadership} from '#browser/leadership.ts'
import {createFakeStorage} from './fake-storage.ts'

/** The Web Locks API of one browser, as far as leadership uses it. */
function createLocks() {
  type Waiting = {start: () => Promise<void>; reject: (reason: Error) => void; signal?: AbortSignal | undefined}
  const queues = new Map<string, Waiting[]>()
  const holders = new Map<string, (reason: Error) => void>()
  const abort = () => new DOMException('stolen', 'AbortError')
  const next = (name: string) => {
    const waiting = queues.get(name)?.shift()
    if (waiting === undefined) return void holders.delete(name)
    if (waiting.signal?.aborted === true) return next(name)
    void run(name, waiting)
  }
  const run = async (name: string, waiting: Waiting) => {
    holders.set(name, waiting.reject)
    const own = waiting.reject
    await waiting.start()
    if (holders.get(name) === own) next(name)
  }
  type Options = {signal?: AbortSignal; steal?: boolean; ifAvailable?: boolean}
  const request = (name: string, options: Options, work: (lock: object | null) => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      if (options.ifAvailable === true && holders.has(name)) return void work(null).then(resolve, reject)
      const waiting: Waiting = {start: () => work({}).then(resolve, reject), reject, signal: options.signal}
      options.signal?.addEventListener('abort', () => reject(abort()))
      if (options.steal === true) {
        holders.get(name)?.(abort())
        void run(name, waiting)
      } else if (holders.has(name)) queues.set(name, [...(queues.get(name) ?? []), waiting])
      else void run(name, waiting)
    })
  // as: leadership uses this one function of the LockManager
  return {request} as unknown as LockManager
}

const turn = async () => {
  for (let round = 0; round < 5; round += 1) await Promise.resolve()
}
const options = (storage: Storage | undefined, time: {now: number}, wake: {resolve: () => void}[]) => ({
  storage,
  now: () => time.now,
  sleep: () => new Promise<void>((resolve) => void wake.push({resolve})),
  createId: () => `tab-${Math.random()}`,
})

function stand(leadership: ReturnType<typeof createLeadership>, isClaiming = false) {
  const facts: LeadershipFact['type'][] = []
  const subscription = leadership('tasks', {isClaiming}).subscribe(({type}) => facts.push(type))
  return {facts, leave: () => subscription.unsubscribe()}
}

describe('with locks', () => {
  test('one tab leads; the next follows when it leaves', async () => {
    const leadership = createLeadership(createLocks(), options(undefined, {now: 0}, []))
    const first = stand(leadership)
    const second = stand(leadership)
    await turn()
    expect([first.facts, second.facts]).toEqual([['leader.won'], ['leader.lost']])
    first.leave()
    await turn()
    expect(second.facts).toEqual(['leader.lost', 'leader.won'])
  })

  test('a tab that claims takes over, and the other one stands in line again', async () => {
    const leadership = createLeadership(createLocks(), options(undefined, {now: 0}, []))
    const first = stand(leadership)
    await turn()
    const second = stand(leadership, true)
    await turn()
    expect([first.facts, second.facts]).toEqual([['leader.won', 'leader.lost'], ['leader.won']])
    second.leave()
    await turn()
    expect(first.facts).toEqual(['leader.won', 'leader.lost', 'leader.won'])
  })
})

describe('without locks', () => {
  const set = () => {
    const time = {now: 1_000}
    const wake: {resolve: () => void}[] = []
    const {storage} = createFakeStorage()
    const pass = async (milliseconds: number) => {
      time.now += milliseconds
      for (const {resolve} of wake.splice(0)) resolve()
      await turn()
    }
    return {leadership: createLeadership(undefined, options(storage, time, wake)), pass}
  }

  test('a lease is held while it is renewed, and taken over when it is left', async () => {
    const {leadership, pass} = set()
    const first = stand(leadership)
    const second = stand(leadership)
    for (let round = 0; round < 5; round += 1) await pass(4_000)
    expect([first.facts, second.facts]).toEqual([['leader.won'], ['leader.lost']])
    first.leave()
    await pass(4_000)
    expect(second.facts).toEqual(['leader.lost', 'leader.won'])
  })

  test('a lease that is claimed is lost for the other', async () => {
    const {leadership, pass} = set()
    const first = stand(leadership)
    const second = stand(leadership, true)
    await pass(4_000)
    expect([first.facts, second.facts]).toEqual([['leader.won', 'leader.lost'], ['leader.won']])
  })
})
