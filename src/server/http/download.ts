import {ReadableStream} from 'node:stream/web'

type File = {type: string; name: string}

/** Headers of a file to be saved. `name` is ours: plain characters without quotes. */
const downloadHeaders = ({type, name}: File) => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
})

/**
 * A file that is written as its client reads. If writing fails, the connection is cut (`onBroken`), so that the client
 * does not take the part for the whole; if the client leaves, writing ends.
 */
export function downloadOf(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  file: File,
  onBroken: (error: unknown) => void,
): Response {
  const encoder = new TextEncoder()
  async function* bytes() {
    try {
      for await (const piece of pieces) yield typeof piece === 'string' ? encoder.encode(piece) : piece
    } catch (error) {
      onBroken(error)
      throw error
    }
  }
  // as: `from` is in the types of Node's stream alone; the global one is the same class
  const body = ReadableStream.from(bytes()) as unknown as ConstructorParameters<typeof Response>[0]
  return new Response(body, {headers: downloadHeaders(file)})
}
