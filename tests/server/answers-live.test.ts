import {expect, test} from 'vitest'
import {followAnswer} from '#server/ai/answers/follow-answer.ts'
import type {NumberedText} from '#server/ai/answers/answer-reader.ts'
import {LiveAnswer} from '#server/ai/answers/live-answer.ts'
import {manualTimers} from './providers.fixtures.ts'

/**
 * An answer that runs here and one follower of it. The beat is the test's: nothing is woken before it. With `rows` it
 * runs elsewhere and has stored these, until the test begins it here.
 */
function follow(lastSeq = 0, rows?: NumberedText[]) {
  let isHere = rows === undefined
  let move: () => void = () => undefined
  const beats = new Set<() => void>()
  const live = new LiveAnswer({next: (run) => void beats.add(run)})
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
    live: () => (isHere ? live : undefined),
    timers: manualTimers().timers,
    signals: {
      onceMoved: (_: string, listener: () => void) => {
        move = listener
        return () => undefined
      },
    },
    reader: {
      read: ({seq}: {seq: number}) =>
        rows === undefined
          ? Promise.reject(new Error('an answer in memory is not read from the database'))
          : Promise.resolve({deltas: rows.filter((row) => row.seq > seq), isCut: false}),
    },
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
    beginHere: () => {
      isHere = true
      move()
    },
    beat: () => {
      for (const run of beats) run()
      beats.clear()
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

test('a reader that leaves while it waits gets the end, and its listener is removed', async () => {
  const {live, steps, leaving, listeners} = follow()
  live.push('a')
  await steps.next()
  const waiting = steps.next()
  expect(listeners()).toBe(1)
  leaving.abort()
  expect([await waiting, await steps.next(), listeners()]).toEqual([over, over, 0])
})

test('a loop that is left removes its listener', async () => {
  const {live, steps, listeners} = follow()
  live.push('a')
  for await (const step of steps) {
    expect(step).toEqual(deltas([1, 'a']).value)
    break
  }
  live.push('b')
  expect([await steps.next(), listeners()]).toEqual([over, 0])
})

test('from the rows it goes on in memory once the answer runs here, without gap or double', async () => {
  const {live, steps, beginHere} = follow(0, [{seq: 1, text: 'a'}])
  expect(await steps.next()).toEqual(deltas([1, 'a']))
  const waiting = steps.next()
  live.push('a')
  live.push('b')
  await new Promise((resolve) => setImmediate(resolve))
  beginHere()
  expect(await waiting).toEqual(deltas([2, 'b']))
})

test('a reader that leaves while it waits for the rows has no listener in memory', async () => {
  const {live, steps, beginHere, listeners} = follow(0, [{seq: 1, text: 'a'}])
  await steps.next()
  const waiting = steps.next()
  live.push('a')
  await new Promise((resolve) => setImmediate(resolve))
  const left = steps.return?.()
  beginHere()
  expect([await waiting, await left, listeners()]).toEqual([over, over, 0])
})

test('much text comes in several steps, each up to the first delta that is too much', async () => {
  const {live, steps} = follow()
  const long = 'a'.repeat(10_000)
  for (let count = 0; count < 3; count += 1) live.push(long)
  expect([await steps.next(), await steps.next()]).toEqual([deltas([1, long], [2, long]), deltas([3, long])])
})
