import type {StreamFetch} from './chat/streams.ts'

const isStream = (init: RequestInit) => new Headers(init.headers).get('accept') === 'text/event-stream'

/** Rejects with the reason of the signal if that aborts first. */
const untilAborted = <Value>(value: Promise<Value>, signal: AbortSignal) =>
  new Promise<Value>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error) // as: the reason of an abort is an error
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, {once: true})
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

/**
 * `fetch` of the page. Streams are read in a worker, whose reader `load` loads with the first stream. A stream that is
 * aborted rejects at once, also while the reader is loading.
 */
export function createPageFetch(load: () => Promise<StreamFetch>): typeof fetch {
  let streams: Promise<StreamFetch> | undefined
  return async (input, init = {}) => {
    if (typeof input !== 'string' || !isStream(init)) return fetch(input, init)
    streams ??= load().catch((error: unknown) => {
      streams = undefined
      throw error
    })
    return (await (init.signal == null ? streams : untilAborted(streams, init.signal)))(input, init)
  }
}
