import {describe, expect, test} from 'vitest'
import type {LeadershipFact} from '#domain/leadership.ts'
import {createLeadership} from '#browser/leadership.ts'
import {createLeaseLeadership} from '#browser/without-locks.ts'
import {createLocks} from './fake-locks.ts'
import {createFakeStorage} from './fake-storage.ts'

const turn = async () => {
  for (let round = 0; round < 5; round += 1) await Promise.resolve()
}
const options = (storage: Storage | undefined, time: {now: number}, wake: {resolve: () => void}[]) => ({
  storage,
  now: () => time.now,
  sleep: () => new Promise<void>((resolve) => void wake.push({resolve})),
  createId: () => `tab-${Math.random()}`,
})

const unused = () => Promise.reject(new Error('unused with locks'))

function stand(leadership: ReturnType<typeof createLeadership>, isClaiming = false) {
  const facts: LeadershipFact['type'][] = []
  const subscription = leadership('tasks', {isClaiming}).subscribe(({type}) => facts.push(type))
  return {facts, leave: () => subscription.unsubscribe()}
}

describe('with locks', () => {
  test('one tab leads; the next follows when it leaves', async () => {
    const leadership = createLeadership(createLocks(), unused)
    const first = stand(leadership)
    const second = stand(leadership)
    await turn()
    expect([first.facts, second.facts]).toEqual([['leader.won'], ['leader.lost']])
    first.leave()
    await turn()
    expect(second.facts).toEqual(['leader.lost', 'leader.won'])
  })

  test('a tab that claims takes over, and the other one stands in line again', async () => {
    const leadership = createLeadership(createLocks(), unused)
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
    return {
      leadership: createLeaseLeadership(options(storage, time, wake)),
      pass,
    }
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

  test('what stands in for the locks is loaded by the first tab that stands, and one that left meanwhile takes none', async () => {
    const {storage, items} = createFakeStorage()
    const lease = createLeaseLeadership(options(storage, {now: 1_000}, []))
    const loads: (() => void)[] = []
    const leadership = createLeadership(
      undefined,
      () => new Promise((resolve) => void loads.push(() => resolve(lease))),
    )
    expect(loads).toHaveLength(0)
    stand(leadership).leave()
    for (const load of loads.splice(0)) load()
    await turn()
    expect([...items.keys()]).toEqual([])
    const first = stand(leadership)
    for (const load of loads) load()
    await turn()
    expect(first.facts).toEqual(['leader.won'])
  })
})
