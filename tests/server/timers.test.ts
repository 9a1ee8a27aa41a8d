import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {realTimers} from '#server/providers/timers.ts'
import {timersOf} from '#tests/timers-of.ts'

let ownTimers: () => number

beforeEach(() => {
  vi.useFakeTimers()
  ownTimers = timersOf('src/server/providers/timers.ts')
})
afterEach(() => {
  vi.useRealTimers()
})

test('silence is counted from the last piece that was heard, to the millisecond', () => {
  const run = vi.fn()
  const {heard} = realTimers.silence(100, run)
  vi.advanceTimersByTime(60)
  heard()
  vi.advanceTimersByTime(70)
  heard()
  vi.advanceTimersByTime(99)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledTimes(1)
  expect(ownTimers()).toBe(0)
})

test('silence that nobody waits for any more calls nothing, also after its timer was set again', () => {
  const run = vi.fn()
  const {heard, stop} = realTimers.silence(100, run)
  vi.advanceTimersByTime(60)
  heard()
  vi.advanceTimersByTime(60)
  stop()
  vi.advanceTimersByTime(1_000)
  expect(run).not.toHaveBeenCalled()
  expect(ownTimers()).toBe(0)
})
