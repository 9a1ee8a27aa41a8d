import {Observable, type OperatorFunction} from 'rxjs'

/** Schedules batches. A timer backs up the frames, which stop in hidden tabs. */
export type FrameScheduler = {
  requestFrame(callback: () => void): number
  cancelFrame(handle: number): void
  /** Resolves at the next read of a stream; bytes that arrive meanwhile are one read. */
  rest: () => Promise<void>
}

/** Longest wait of a value in milliseconds. */
const longestWait = 100
/**
 * Pause between two batches in milliseconds. Text that grows 16 times a second reads as a flow and costs a third of 60
 * times a second (docs/benchmarks.md, b).
 */
const rest = 60
/** A flood is faster than reading speed and each paint costs more, so it is painted half as often. */
const floodRest = 110
/** A batch with more values than this is a flood. */
const flood = 8

/**
 * Collects values into arrays, so that a flood of deltas becomes one state change. The first batch goes out with the
 * next animation frame, each later one with the first frame after the pause. Without frames no value waits longer than
 * `longestWait` plus the rest of the pause. No value is lost at the end or on an error.
 */
export const batchFrames =
  <T>(scheduler: FrameScheduler): OperatorFunction<T, T[]> =>
  (source) =>
    new Observable((subscriber) => {
      let batch: T[] = []
      let frame: number | undefined
      let timer: ReturnType<typeof setTimeout> | undefined

      const cancel = () => {
        if (frame !== undefined) scheduler.cancelFrame(frame)
        clearTimeout(timer)
        frame = undefined
        timer = undefined
      }
      const take = () => {
        cancel()
        const full = batch
        batch = []
        return full
      }
      const flush = () => {
        const full = take()
        if (full.length > 0) subscriber.next(full)
      }
      const flushWithFrame = (wait: number) => {
        timer = setTimeout(flushAndRest, wait)
        frame = scheduler.requestFrame(flushAndRest)
      }
      const flushAndRest = () => {
        const full = take()
        timer = setTimeout(
          () => {
            timer = undefined
            if (batch.length > 0) flushWithFrame(longestWait - rest)
          },
          full.length > flood ? floodRest : rest,
        )
        subscriber.next(full)
      }
      const subscription = source.subscribe({
        next: (value) => {
          batch.push(value)
          if (timer === undefined) flushWithFrame(longestWait)
        },
        error: (error: unknown) => {
          flush()
          subscriber.error(error)
        },
        complete: () => {
          flush()
          subscriber.complete()
        },
      })
      return () => {
        cancel()
        subscription.unsubscribe()
      }
    })
