/** Bytes that are read ahead of who takes them; what comes after waits in the network. */
const mostBytes = 256 * 1024

const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/**
 * The same body, each read of which takes all that has arrived. After a read it rests, so that a flood of chunks
 * becomes few and large ones. A failure comes after the bytes before it.
 */
export function collected(
  body: ReadableStream<Uint8Array>,
  rest: () => Promise<void> = () => Promise.resolve(),
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let chunks: Uint8Array[] = []
  let size = 0
  let end: {failure?: unknown} | undefined
  let restEnd = Promise.resolve()
  let wakeReader = () => {}
  let wakeTaker = () => {}

  const readAll = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value)
      size += next.value.length
      wakeTaker()
      if (size >= mostBytes) await new Promise<void>((resolve) => (wakeReader = resolve))
    }
  }
  readAll()
    .then(
      () => (end = {}),
      (failure: unknown) => (end = {failure}),
    )
    .finally(() => wakeTaker())

  return new ReadableStream(
    {
      async pull(controller) {
        await restEnd
        if (size === 0 && end === undefined) await new Promise<void>((resolve) => (wakeTaker = resolve))
        if (size > 0) {
          controller.enqueue(joined(chunks, size))
          restEnd = rest()
          chunks = []
          size = 0
          wakeReader()
        } else if (end !== undefined && 'failure' in end) controller.error(end.failure)
        else controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    {highWaterMark: 0},
  )
}
