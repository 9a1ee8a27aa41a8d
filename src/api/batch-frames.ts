import {Observable, type OperatorFunction} from 'rxjs'

/** What a batch waits for. Frames stop in hidden tabs, so a timer stands beside them. */
export type FrameScheduler = {
  requestFrame(callback: () => void): number
  cancelFrame(handle: number): void
}

/**
 * Collects the values of one animation frame into one array: a flood of deltas becomes one state change a frame.
 * Nothing waits longer than `maxMilliseconds`, and nothing is lost at the end or on an error.
 */
export const batchFrames =
  <T>(scheduler: FrameScheduler, maxMilliseconds = 100): OperatorFunction<T, T[]> =>
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
      const flush = () => {
        cancel()
        if (batch.length === 0) return
        const full = batch
        batch = []
        subscriber.next(full)
      }
      const subscription = source.subscribe({
        next: (value) => {
          batch.push(value)
          if (timer !== undefined) return
          timer = setTimeout(flush, maxMilliseconds)
          frame = scheduler.requestFrame(flush)
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
