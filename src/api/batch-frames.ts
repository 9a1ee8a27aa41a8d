import {Observable, type OperatorFunction} from 'rxjs'

/** What a batch waits for. Frames stop in hidden tabs, so a timer stands beside them. */
export type FrameScheduler = {
  requestFrame(callback: () => void): number
  cancelFrame(handle: number): void
  /** Until the next read of a stream: what arrives meanwhile is one read then. */
  rest: () => Promise<void>
}

/** Longest wait of a value, in milliseconds. */
const longestWait = 100
/**
 * Rest between two batches, in milliseconds. Words that come 16 times a second read as a flow, and cost the page a third
 * of what they cost 60 times a second (docs/benchmarks.md, b).
 */
const rest = 60
/** A flood is faster than anybody reads, and more is painted each time: it comes half as often. */
const floodRest = 110
/** A batch of more values than these is a flood. */
const flood = 8

/**
 * Collects values into one array: a flood of deltas becomes one state change. The first goes out with the next animation
 * frame, the following ones with the first frame after the rest. Where no frame comes nothing waits longer than
 * `longestWait` and what is left of the rest; nothing is lost at the end or on an error.
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
