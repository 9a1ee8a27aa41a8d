import {expect, test} from 'vitest'
import {followAnswer} from '#server/ai/answers/follow-answer.ts'
import {LiveAnswer} from '#server/ai/answers/live-answer.ts'
import {manualTimers} from './providers.fixtures.ts'

/** An answer that runs here and one follower of it. The beat is the test's: nothing is told before it. */
function follow(lastSeq = 0) {
  const told = new Set<() => void>()
  const live = new LiveAnswer({next: (run) => void told.add(run)})
  const leaving = new AbortController()
  const waiting = new Set<() => void>()
  const {onceChanged} = live
  Object.assign(live, {
    onceChanged: (listener: () => void) => {
      const own = () => {
        waiting.delete(own)
        listener()
      }
      waiting.add(own)
      const remove = onceChanged(own)
      return () => {
        waiting.delete(own)
        remove()
      }
    },
  })
  const parts = {
    live: () => live,
    timers: manualTimers().timers,
    signals: {onceMoved: () => () => undefined},
    reader: {read: () => Promise.reject(new Error('an answer in memory is not read from the database'))},
  }
  const steps = followAnswer(
    // as: nothing of the database is asked for
    parts as unknown as Parameters<typeof followAnswer>[0],
    {answerId: 'foo', userId: 'bar', lastSeq},
    leaving.signal,
  )
  return {
    live,
    leaving,
    steps,
    listeners: () => waiting.size,
    beat: () => {
      for (const run of told) run()
      told.clear()
    },
  }
}
const deltas = (...given: [number, string][]) => ({
  done: false,
  value: {deltas: given.map(([seq, text]) => ({seq, text}))},
})
const over = {done: true, value: undefined}

test('each text comes once and in order, whether it waits for the reader or the reader for it', async () => {
  const {live, steps, beat, listeners} = follow()
  live.push('a')
  expect(await steps.next()).toEqual(deltas([1, 'a']))
  const waiting = steps.next()
  live.push('b')
  live.push('c')
  beat()
  expect(await waiting).toEqual(deltas([2, 'b'], [3, 'c']))
  live.push('d')
  expect(await steps.next()).toEqual(deltas([4, 'd']))
  live.finish({state: 'finished'})
  expect(await steps.next()).toEqual({done: false, value: {end: {state: 'finished'}}})
  expect(await steps.next()).toEqual(over)
  expect(listeners()).toBe(0)
})

test('it begins behind what the client has', async () => {
  const {live, steps} = follow(1)
  live.push('a')
  live.push('b')
  expect(await steps.next()).toEqual(deltas([2, 'b']))
})

test('a wake for a text that was read meanwhile gives nothing, and the next one is waited for', async () => {
  const {live, steps, beat} = follow()
  live.push('a')
  await steps.next()
  live.push('b')
  expect(await steps.next()).toEqual(deltas([2, 'b']))
  const waiting = steps.next()
  beat()
  live.push('c')
  beat()
  expect(await waiting).toEqual(deltas([3, 'c']))
})

test('who leaves while it waits is answered with the end, and listens no more', async () => {
  const {live, steps, leaving, listeners} = follow()
  live.push('a')
  await steps.next()
  const waiting = steps.next()
  expect(listeners()).toBe(1)
  leaving.abort()
  expect([await waiting, await steps.next(), listeners()]).toEqual([over, over, 0])
})

test('a loop that is left listens no more', async () => {
  const {live, steps, listeners} = follow()
  live.push('a')
  for await (const step of steps) {
    expect(step).toEqual(deltas([1, 'a']).value)
    break
  }
  live.push('b')
  expect([await steps.next(), listeners()]).toEqual([over, 0])
})
