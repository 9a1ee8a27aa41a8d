import {Subject, take} from 'rxjs'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import type {AnswerEvent} from '#domain/answer.ts'
import {batchFrames} from '#api/batch-frames.ts'
import {joinDeltas} from '#api/batch-deltas.ts'

const createFrames = () => {
  const waiting = new Map<number, () => void>()
  let last = 0
  return {
    waiting,
    scheduler: {
      requestFrame: (callback: () => void) => {
        last += 1
        waiting.set(last, callback)
        return last
      },
      cancelFrame: (handle: number) => waiting.delete(handle),
      rest: () => Promise.resolve(),
    },
    paint: () => {
      for (const [handle, callback] of Array.from(waiting)) {
        waiting.delete(handle)
        callback()
      }
    },
  }
}

describe('batchFrames', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const setUp = () => {
    const frames = createFrames()
    const source = new Subject<number>()
    const seen: (number[] | string)[] = []
    const subscription = source.pipe(batchFrames(frames.scheduler)).subscribe({
      next: (batch) => seen.push(batch),
      error: () => seen.push('error'),
      complete: () => seen.push('complete'),
    })
    return {...frames, source, seen, subscription}
  }
  const expectNothingLeft = ({waiting}: {waiting: Map<number, unknown>}) => {
    expect(waiting.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  }

  test('the first batch comes with the next frame, the following one with the first frame after the rest', () => {
    const run = setUp()
    run.source.next(1)
    run.source.next(2)
    expect(run.seen).toEqual([])
    run.paint()
    expect(run.seen).toEqual([[1, 2]])
    run.source.next(3)
    run.paint()
    vi.advanceTimersByTime(59)
    run.paint()
    run.source.next(4)
    expect(run.seen).toEqual([[1, 2]])
    vi.advanceTimersByTime(1)
    run.paint()
    expect(run.seen).toEqual([
      [1, 2],
      [3, 4],
    ])
    vi.advanceTimersByTime(60)
    expectNothingLeft(run)
  })

  test('after a rest in which nothing came the next value goes out with the next frame', () => {
    const run = setUp()
    run.source.next(1)
    run.paint()
    vi.advanceTimersByTime(60)
    run.source.next(2)
    run.paint()
    expect(run.seen).toEqual([[1], [2]])
  })

  test('after a flood the rest is longer, and short again once it is over', () => {
    const run = setUp()
    const flood = Array.from({length: 9}, (_, index) => index)
    for (const value of flood) run.source.next(value)
    run.paint()
    expect(run.seen).toEqual([flood])
    run.source.next(9)
    vi.advanceTimersByTime(109)
    run.paint()
    expect(run.seen).toEqual([flood])
    vi.advanceTimersByTime(1)
    run.paint()
    expect(run.seen).toEqual([flood, [9]])
    run.source.next(10)
    vi.advanceTimersByTime(60)
    run.paint()
    expect(run.seen).toEqual([flood, [9], [10]])
    vi.advanceTimersByTime(60)
    expectNothingLeft(run)
  })

  test('100 ms at most where no frame comes: a hidden tab', () => {
    const run = setUp()
    run.source.next(1)
    vi.advanceTimersByTime(99)
    expect(run.seen).toEqual([])
    vi.advanceTimersByTime(1)
    expect(run.seen).toEqual([[1]])
    run.source.next(2)
    vi.advanceTimersByTime(99)
    expect(run.seen).toEqual([[1]])
    vi.advanceTimersByTime(1)
    expect(run.seen).toEqual([[1], [2]])
    vi.advanceTimersByTime(60)
    expectNothingLeft(run)
  })

  test('an end in the rest brings what came meanwhile', () => {
    const run = setUp()
    run.source.next(1)
    run.paint()
    run.source.next(2)
    run.source.complete()
    expect(run.seen).toEqual([[1], [2], 'complete'])
    expectNothingLeft(run)
  })

  test('the rest comes before the end and before an error', () => {
    const completes = setUp()
    completes.source.next(1)
    completes.source.complete()
    expect(completes.seen).toEqual([[1], 'complete'])
    expectNothingLeft(completes)
    const fails = setUp()
    fails.source.next(1)
    fails.source.error(new Error('foo'))
    expect(fails.seen).toEqual([[1], 'error'])
    expectNothingLeft(fails)
  })

  test('unsubscribing leaves no timer, no frame and no subscriber', () => {
    const run = setUp()
    run.source.next(1)
    run.subscription.unsubscribe()
    expect(run.source.observed).toBe(false)
    expectNothingLeft(run)
    const rests = setUp()
    rests.source.next(1)
    rests.paint()
    rests.subscription.unsubscribe()
    expectNothingLeft(rests)
  })

  test('who leaves with a batch leaves no rest behind', () => {
    const frames = createFrames()
    const source = new Subject<number>()
    source.pipe(batchFrames(frames.scheduler), take(1)).subscribe()
    source.next(1)
    frames.paint()
    expect(source.observed).toBe(false)
    expectNothingLeft(frames)
  })
})

describe('joinDeltas', () => {
  const delta = (seq: number, text: string, address: object = {}): AnswerEvent => ({
    type: 'answer.received',
    conversation: 'c',
    message: 'm',
    attempt: 1,
    from: seq,
    seq,
    text,
    ...address,
  })

  test('deltas that follow each other are one, with the first and the last number', () => {
    expect(joinDeltas([delta(3, 'a'), delta(4, 'b'), delta(5, 'c')])).toEqual([{...delta(5, 'abc'), from: 3}])
  })

  test.each([
    ['a gap', delta(6, 'b')],
    ['a repeat', delta(4, 'b')],
    ['another message', delta(5, 'b', {message: 'n'})],
    ['another attempt', delta(5, 'b', {attempt: 2})],
    ['another conversation', delta(5, 'b', {conversation: 'd'})],
  ])('%s keeps them apart', (_, next) => {
    expect(joinDeltas([delta(4, 'a'), next])).toEqual([delta(4, 'a'), next])
  })

  test('other events keep their place', () => {
    const connected: AnswerEvent = {type: 'answer.connected'}
    const completed: AnswerEvent = {type: 'answer.completed'}
    const events = [connected, delta(1, 'a'), {type: 'answer.pinged'} as const, delta(2, 'b'), delta(3, 'c'), completed]
    expect(joinDeltas(events)).toEqual([
      connected,
      delta(1, 'a'),
      {type: 'answer.pinged'},
      {...delta(3, 'bc'), from: 2},
      completed,
    ])
  })
})
