/** When the bytes of a stream are read, so that a flood of deltas becomes few state changes. */
export type ReadingPace = {
  /** Resolves when the stream may be read again. */
  rest: () => Promise<void>
}

/** The chunks of a body with a rest after each, for a body whose reads take all that has arrived (`collected`). */
export async function* chunksOf(
  bytes: ReadableStreamDefaultReader<Uint8Array>,
  pace: ReadingPace | undefined,
): AsyncGenerator<Uint8Array> {
  for (let chunk = await bytes.read(); !chunk.done; chunk = await bytes.read()) {
    yield chunk.value
    await pace?.rest()
  }
}
