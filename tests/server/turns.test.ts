import {expect, test} from 'vitest'
import {createTurns} from '#server/work/turns.ts'
import {manualTimers} from './providers.fixtures.ts'

const longestMilliseconds = 100
const overdue = new Error('foo')
const away = new Error('bar')

/** Turns of which the test decides how long each takes. */
function createWork({atOnce, ofOneKey}: {atOnce: number; ofOneKey: number}) {
  const clock = manualTimers()
  const turns = createTurns({
    timers: clock.timers,
    atOnce,
    ofOneKey,
    longestMilliseconds,
    overdue: () => overdue,
    left: (reason) => new Error('left', {cause: reason}),
    isAway: (error) => error === away,
  })
  const begun: string[] = []
  const ends = new Map<string, {resolve: () => void; reject: (error: Error) => void}>()
  return {
    clock,
    turns,
    begun,
    ask: (key: string, name: string, signal?: AbortSignal) =>
      turns.take(
        key,
        () => {
          begun.push(name)
          return new Promise<string>((resolve, reject) => ends.set(name, {resolve: () => resolve(name), reject}))
        },
        signal,
      ),
    /** Ends one, and lets the next begin. */
    end: async (name: string) => {
      ends.get(name)?.resolve()
      await new Promise((resolve) => setImmediate(resolve))
    },
    /** Ends it as `end` does, but with a failure of its work. */
    fail: async (name: string, error: Error) => {
      ends.get(name)?.reject(error)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('work of one key waits for its share, and leaves the rest of the room to others', async () => {
  const {ask, begun, end} = createWork({atOnce: 3, ofOneKey: 2})
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name))
  all.push(ask('b', 'b1'), ask('c', 'c1'))
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  await end('a2')
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
  for (const name of ['a3', 'a4', 'c1']) await end(name)
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1'])
})

test('a long queue of one key does not hold up the others: they take turns', async () => {
  const {ask, begun, end} = createWork({atOnce: 1, ofOneKey: 1})
  const all = ['a1', 'a2', 'a3'].map((name) => ask('a', name))
  all.push(ask('b', 'b1'), ask('b', 'b2'))
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
  await Promise.all(all)
})

test('work that fails makes room', async () => {
  const {turns, ask, begun, end} = createWork({atOnce: 1, ofOneKey: 1})
  const failed = turns.take('a', () => Promise.reject(new Error('foo')))
  const next = ask('a', 'a2')
  await expect(failed).rejects.toThrow('foo')
  expect(begun).toEqual(['a2'])
  await end('a2')
  await next
})

test('what waited too long has not begun, and does not begin later', async () => {
  const {ask, begun, clock, end} = createWork({atOnce: 1, ofOneKey: 1})
  const first = ask('a', 'a1')
  const [second, other] = [ask('a', 'a2'), ask('b', 'b1')]
  const refused = [expect(second).rejects.toBe(overdue), expect(other).rejects.toBe(overdue)]
  clock.fire(longestMilliseconds)
  await Promise.all(refused)
  await end('a1')
  await first
  expect(begun).toEqual(['a1'])
  const next = ask('b', 'b2')
  await end('b2')
  await next
  expect(clock.waiting()).toEqual([])
})

test('a process that ends refuses what has not begun', async () => {
  const {turns, ask, begun, clock, end} = createWork({atOnce: 1, ofOneKey: 1})
  const ending = new Error('foo')
  const first = ask('a', 'a1')
  const second = expect(ask('a', 'a2')).rejects.toBe(ending)
  turns.refuse(ending)
  await second
  await end('a1')
  await first
  expect([begun, clock.waiting()]).toEqual([['a1'], []])
})

test('what is left while it waits does not begin, and what has begun goes on', async () => {
  const {ask, begun, clock, end} = createWork({atOnce: 1, ofOneKey: 1})
  const leaving = new AbortController()
  const first = ask('a', 'a1', leaving.signal)
  const second = expect(ask('a', 'a2', leaving.signal)).rejects.toMatchObject({message: 'left', cause: 'foo'})
  const third = ask('a', 'a3')
  leaving.abort('foo')
  await second
  const refused = expect(ask('a', 'a4', leaving.signal)).rejects.toThrow('left')
  await end('a1')
  await end('a3')
  await refused
  expect([await first, await third, begun, clock.waiting()]).toEqual(['a1', 'a3', ['a1', 'a3'], []])
})

test('what has begun is no longer left', async () => {
  const {ask, begun, end} = createWork({atOnce: 1, ofOneKey: 1})
  const leaving = new AbortController()
  const all = [ask('a', 'a1'), ask('a', 'a2', leaving.signal), ask('a', 'a3')]
  await end('a1')
  leaving.abort()
  await end('a2')
  await end('a3')
  expect([await Promise.all(all), begun]).toEqual([
    ['a1', 'a2', 'a3'],
    ['a1', 'a2', 'a3'],
  ])
})

test('a process that ends lets nothing wait any more', async () => {
  const {turns, ask, end} = createWork({atOnce: 1, ofOneKey: 1})
  const ending = new Error('foo')
  turns.refuse(ending)
  const first = ask('a', 'a1')
  await expect(ask('b', 'b1')).rejects.toBe(ending)
  await end('a1')
  expect(await first).toBe('a1')
})

test('when all work fails for want of the same, what waits is refused with that, and later work begins again', async () => {
  const {ask, begun, fail, end} = createWork({atOnce: 2, ofOneKey: 2})
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => expect(ask(name.slice(0, 1), name)).rejects.toBe(away))
  await fail('a1', away)
  await fail('a2', away)
  const later = ask('c', 'c1')
  await fail('a3', away)
  await Promise.all(all)
  await end('c1')
  expect([await later, begun]).toEqual(['c1', ['a1', 'a2', 'a3', 'c1']])
})

test('failures between which other work is done refuse nothing that waits', async () => {
  const {ask, begun, fail, end} = createWork({atOnce: 1, ofOneKey: 2})
  const first = expect(ask('a', 'a1')).rejects.toBe(away)
  const second = ask('a', 'a2')
  const third = expect(ask('a', 'a3')).rejects.toBe(away)
  const last = ask('a', 'a4')
  await fail('a1', away)
  await end('a2')
  await fail('a3', away)
  await end('a4')
  await Promise.all([first, second, third, last])
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4'])
})
