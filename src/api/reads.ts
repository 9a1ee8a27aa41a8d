/** Resolves when a stream may be read again. What arrives meanwhile is read together, so that a flood of deltas becomes few state changes. */
export type ReadingPace = () => Promise<void>

/** In one batch, so that a page that catches up stays usable between two. */
const mostBytes = 256 * 1024

/** What a read has brought so far: a chunk, the end or a failure, or nothing yet. */
async function peek(read: Promise<ReadableStreamReadResult<Uint8Array>>): Promise<Uint8Array | 'ended' | 'pending'> {
  let seen: Uint8Array | 'ended' | 'pending' = 'pending'
  read.then(
    ({value}) => {
      seen = value ?? 'ended'
    },
    () => {
      seen = 'ended'
    },
  )
  await Promise.resolve()
  await Promise.resolve()
  return seen
}

/** The chunks of a body, those together that are there at once, with a pause after each batch but the last. */
export async function* batchesOf(
  bytes: ReadableStreamDefaultReader<Uint8Array>,
  pace: ReadingPace | undefined,
): AsyncGenerator<Uint8Array[]> {
  let next = bytes.read()
  for (let chunk = await next; !chunk.done; chunk = await next) {
    const batch = [chunk.value]
    let size = chunk.value.length
    next = bytes.read()
    let seen = await peek(next)
    while (seen instanceof Uint8Array && size < mostBytes) {
      batch.push(seen)
      size += seen.length
      next = bytes.read()
      seen = await peek(next)
    }
    yield batch
    if (seen !== 'ended') await pace?.()
  }
}
