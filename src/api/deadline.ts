/** A signal that aborts with the caller's signal or, after `milliseconds`, with a `TimeoutError`. */
export type Deadline = {
  signal: AbortSignal
  /** Cancels the timeout only: the caller's abort still counts. */
  clear(): void
  /** Ends both. */
  release(): void
}

/** Security R54: every wait on the network has a deadline. */
export const createDeadline = (milliseconds: number, caller?: AbortSignal): Deadline => {
  const controller = new AbortController()
  const follow = () => controller.abort(caller?.reason)
  const timer = setTimeout(
    () => controller.abort(new DOMException(`No answer within ${milliseconds / 1000} s.`, 'TimeoutError')),
    milliseconds,
  )
  if (caller?.aborted === true) follow()
  else caller?.addEventListener('abort', follow, {once: true})
  const clear = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    clear,
    release() {
      clear()
      caller?.removeEventListener('abort', follow)
    },
  }
}

/** Waits. Rejects with the signal's reason if the signal aborts first. */
export const sleep = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error) // the reason of an abort is an error unless the caller set another value
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) cancel()
    else signal?.addEventListener('abort', cancel, {once: true})
  })
