import {setImmediate as turn, setTimeout as pause} from 'node:timers/promises'

/**
 * A toxic does to the bytes of one direction of one connection what a bad network does (security R75). It ends when
 * the connection is to be closed, and throws `Reset` when it is to be torn down.
 */
export type Toxic = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

export class Reset extends Error {}

export const clean: Toxic = (source) => source

/** The bytes in pieces of these sizes in turn, each on its own way: no piece is put together with the next. */
export const sliced = (...sizes: readonly [number, ...number[]]): Toxic =>
  async function* (source) {
    let index = 0
    for await (const bytes of source) {
      for (let from = 0; from < bytes.length;) {
        const size = sizes[index++ % sizes.length] ?? 1
        yield bytes.subarray(from, from + size)
        from += size
        await turn()
      }
    }
  }

/** Each piece comes late, by a time of its own between `milliseconds` and `milliseconds + jitter`. */
export const delayed = (milliseconds: number, jitter: number, random: () => number): Toxic =>
  async function* (source) {
    for await (const bytes of source) {
      await pause(milliseconds + random() * jitter)
      yield bytes
    }
  }

/** So many bytes a second, in twenty pieces. */
export const narrow = (bytesPerSecond: number): Toxic =>
  async function* (source) {
    const size = Math.max(1, Math.floor(bytesPerSecond / 20))
    for await (const bytes of source) {
      for (let from = 0; from < bytes.length; from += size) {
        const piece = bytes.subarray(from, from + size)
        await pause((piece.length / bytesPerSecond) * 1000)
        yield piece
      }
    }
  }

async function* first(source: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count
  if (left <= 0) return
  for await (const bytes of source) {
    yield bytes.subarray(0, left)
    left -= bytes.length
    if (left <= 0) return
  }
}

/** Closed after so many bytes, as if all had been said. */
export const cutAfter =
  (count: number): Toxic =>
  (source) =>
    first(source, count)

/** Torn down after so many bytes. */
export const resetAfter = (count: number): Toxic =>
  async function* (source) {
    yield* first(source, count)
    throw new Reset()
  }

/** Silent after so many bytes, and never closed. */
export const hangAfter = (count: number): Toxic =>
  async function* (source) {
    yield* first(source, count)
    await new Promise(() => undefined)
  }

/** The other end is gone, and this one is told late. */
export const delayedClose = (milliseconds: number): Toxic =>
  async function* (source) {
    try {
      yield* source
    } catch {
      // how the other end was lost is what nobody is told
    }
    await pause(milliseconds)
  }

/** Numbers from 0 to 1 that are the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
