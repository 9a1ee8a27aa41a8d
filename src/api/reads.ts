/** When the bytes of a stream are read, so that a flood of deltas becomes few state changes. */
export type ReadingPace = {
  /** Resolves when the stream may be read again. */
  rest: () => Promise<void>
  /** Resolves when the browser has done what is due now: bytes that it holds are handed over by then. */
  turn: () => Promise<void>
}

/** In one batch, so that a page that catches up stays usable between two. */
const mostBytes = 256 * 1024

/** What a read has brought by the end of a turn: a chunk, the end or a failure, or nothing yet. */
const peek = (
  read: Promise<ReadableStreamReadResult<Uint8Array>>,
  {turn}: ReadingPace,
): Promise<Uint8Array | 'ended' | 'pending'> =>
  Promise.race([
    read.then(
      ({value}) => value ?? ('ended' as const),
      () => 'ended' as const,
    ),
    turn().then(() => 'pending' as const),
  ])

/** The chunks of a body, those together that are there at once, with a rest after each batch but the last. */
export async function* batchesOf(
  bytes: ReadableStreamDefaultReader<Uint8Array>,
  pace: ReadingPace | undefined,
): AsyncGenerator<Uint8Array[]> {
  let next = bytes.read()
  for (let chunk = await next; !chunk.done; chunk = await next) {
    const batch: Uint8Array[] = []
    let size = 0
    let seen: Uint8Array | 'ended' | 'pending' = chunk.value
    while (seen instanceof Uint8Array && size < mostBytes) {
      batch.push(seen)
      size += seen.length
      next = bytes.read()
      // who leaves before this read hears of no failure
      next.catch(() => undefined)
      seen = pace === undefined ? 'pending' : await peek(next, pace)
    }
    yield batch
    if (seen !== 'ended') await pace?.rest()
  }
}
