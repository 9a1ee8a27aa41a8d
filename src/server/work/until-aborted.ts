/**
 * The events of `source` until `signal` aborts, then its reason is thrown at once, whether or not the source notices:
 * a stop must not wait for a provider that does not listen.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let refuse: ((reason: unknown) => void) | undefined
  const onAbort = () => refuse?.(signal.reason)
  signal.addEventListener('abort', onAbort, {once: true})
  try {
    for (;;) {
      const result = await new Promise<IteratorResult<T>>((resolve, reject) => {
        refuse = reject
        if (signal.aborted)
          reject(signal.reason as Error) // the reason is ours and typed where it is read
        else iterator.next().then(resolve, reject)
      })
      if (result.done) return
      yield result.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited: a source that is busy would hold the end back. What it throws now concerns nobody.
    iterator.return?.().catch(() => undefined)
  }
}
