import {expect, test} from 'vitest'
import {LiveAnswer} from '#server/ai/answers/live-answer.ts'
import {beatOf, beatParts, createBeat, longestBeat} from '#server/work/beat.ts'
import {manualTimers} from './providers.fixtures.ts'

/** An answer in a process of which `busy` says how much of its time it works. */
function createAnswer(busy: {share: number}) {
  const clock = manualTimers()
  const answer = new LiveAnswer(createBeat({timers: clock.timers, busy: () => busy.share, now: () => 0}))
  let moves = 0
  const listen = () => answer.onceChanged(() => ((moves += 1), listen()))
  listen()
  return {
    answer,
    clock,
    moves: () => {
      const seen = moves
      moves = 0
      return seen
    },
  }
}

/** Lets a whole beat pass. */
const passBeat = ({fire}: ReturnType<typeof manualTimers>) => {
  for (let part = 0; part < beatParts; part += 1) fire(longestBeat / beatParts)
}

test.each([
  [0, 0],
  [0.5, 0],
  [0.65, longestBeat / 2],
  [0.8, longestBeat],
  [1, longestBeat],
])('a process that works %d of its time gathers for %d ms', (busy, milliseconds) => {
  expect(beatOf(busy)).toBe(milliseconds)
})

test('with time to spare each delta is told of at once', () => {
  const {answer, moves} = createAnswer({share: 0.2})
  for (const text of ['a', 'b', 'c']) {
    answer.push(text)
    expect(moves()).toBe(1)
  }
})

test('a busy process tells of the first delta and of the end at once, and of others together', () => {
  const {answer, clock, moves} = createAnswer({share: 1})
  answer.push('a')
  expect(moves()).toBe(1)
  answer.push('b')
  answer.push('c')
  expect(moves()).toBe(0)
  passBeat(clock)
  expect(moves()).toBe(1)
  answer.push('d')
  answer.finish({state: 'finished'})
  expect(moves()).toBe(1)
  expect(answer.deltas).toEqual(['a', 'b', 'c', 'd'])
})

test('a beat is spread: a part of the answers is told of at a time, and each once in a beat', () => {
  const clock = manualTimers()
  const {next} = createBeat({timers: clock.timers, busy: () => 1, now: () => 0})
  const order: number[] = []
  const runs = Array.from({length: 3 * beatParts}, (_, index) => () => void order.push(index))
  for (let beat = 0; beat < 2; beat += 1) {
    for (const run of [...runs, ...runs]) next(run)
    for (let part = 1; part <= beatParts; part += 1) {
      clock.fire(longestBeat / beatParts)
      expect(order).toHaveLength(3 * part)
    }
    expect(new Set(order.splice(0)).size).toBe(runs.length)
  }
  // nothing waits, so no timer does
  expect(clock.waiting()).not.toContain(longestBeat / beatParts)
})

test('a process that is late calls all that is due at once', () => {
  const clock = manualTimers()
  let time = 0
  const {next} = createBeat({timers: clock.timers, busy: () => 1, now: () => time})
  let runCount = 0
  const step = longestBeat / beatParts
  for (let index = 0; index < beatParts; index += 1) next(() => (runCount += 1))
  time += 4 * step
  clock.fire(step)
  expect(runCount).toBe(4)
  time += 1_000
  clock.fire(step)
  expect(runCount).toBe(beatParts)
})

test('the time beyond the last part that was due counts for the next', () => {
  const clock = manualTimers()
  let time = 0
  const {next} = createBeat({timers: clock.timers, busy: () => 1, now: () => time})
  const step = longestBeat / beatParts
  let runCount = 0
  let ticks = 0
  for (let index = 0; index < beatParts; index += 1) next(() => (runCount += 1))
  while (runCount < beatParts) {
    time += 1.9 * step
    clock.fire(step)
    ticks += 1
  }
  expect(ticks * 1.9).toBeLessThan(11.5)
})

test('timers that come early let nothing of what is due be forgotten', () => {
  const clock = manualTimers()
  let time = 0
  const {next} = createBeat({timers: clock.timers, busy: () => 1, now: () => time})
  const step = longestBeat / beatParts
  let runCount = 0
  const runs = Array.from({length: beatParts}, () => () => void (runCount += 1))
  for (let count = 0; count < 100; count += 1) {
    for (const run of runs) next(run)
    time += 0.9 * step
    clock.fire(step)
  }
  runCount = 0
  time += 4 * step
  clock.fire(step)
  expect(runCount).toBe(4)
})

test('what waits is called within its beat also when the process has time to spare meanwhile', () => {
  const clock = manualTimers()
  let time = 0
  let share = 1
  const {next} = createBeat({timers: clock.timers, busy: () => share, now: () => time})
  const step = longestBeat / beatParts
  let runCount = 0
  for (let index = 0; index < beatParts; index += 1) next(() => (runCount += 1))
  share = 0
  // a second is over: it is asked again how busy the process is
  clock.fire(1_000)
  next(() => undefined)
  for (let count = 1; count <= beatParts; count += 1) {
    time += step
    clock.fire(step)
    expect(runCount).toBe(count)
  }
})

test('what is asked for while others are called waits for its own part', () => {
  const clock = manualTimers()
  const {next} = createBeat({timers: clock.timers, busy: () => 1, now: () => 0})
  let calls = 0
  const again = () => {
    calls += 1
    next(again)
  }
  next(again)
  passBeat(clock)
  expect(calls).toBe(1)
  passBeat(clock)
  expect(calls).toBe(2)
})

test('how busy it is is asked again after a second', () => {
  const busy = {share: 1}
  const {answer, clock, moves} = createAnswer(busy)
  answer.push('a')
  answer.push('b')
  busy.share = 0
  clock.fireDeadlines()
  moves()
  answer.push('c')
  expect(moves()).toBe(1)
})
