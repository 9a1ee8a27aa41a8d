import {Readable} from 'node:stream'
import {setTimeout as delay} from 'node:timers/promises'
import {GetObjectCommand, type S3Client} from '@aws-sdk/client-s3'
import {streamOf, type Span} from './file-store.ts'
import {s3Failure} from './s3-failure.ts'

/** A read that breaks is resumed at its position, this many times in a row. */
const mostBreaks = 4

/** Streams a span of an object. The first request goes out at once: a missing object fails this call. */
export async function openObject(client: S3Client, object: {Bucket: string; Key: string}, name: string, span: Span) {
  const stop = new AbortController()
  const first = await getSpan(client, object, span, stop.signal).catch((error: unknown) => {
    throw s3Failure(name, error)
  })
  const pieces = readOn(first, span, (rest) => getSpan(client, object, rest, stop.signal), stop.signal)
  return streamOf(pieces, () => {
    stop.abort()
    first.destroy()
  })
}

async function getSpan(
  client: S3Client,
  object: {Bucket: string; Key: string},
  {start, end}: Span,
  signal: AbortSignal,
): Promise<Readable> {
  const command = new GetObjectCommand({...object, Range: `bytes=${start}-${end}`})
  const {Body, ContentRange} = await client.send(command, {abortSignal: signal})
  if (start > 0 && ContentRange?.startsWith(`bytes ${start}-`) !== true)
    throw new Error('The store sent another range than it was asked for')
  if (!(Body instanceof Readable)) throw new Error('The store answered without a body')
  // a connection that ends between two reads is noticed by the next read
  Body.on('error', () => undefined)
  return Body
}

/** The bytes of a span, also if the connection breaks, or ends because the reader paused. */
async function* readOn(
  first: Readable,
  {start, end}: Span,
  again: (rest: Span) => Promise<Readable>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  let position = start
  let body: Readable | undefined = first
  for (let breaks = 0; position <= end;) {
    try {
      body ??= await again({start: position, end})
      for await (const piece of body) {
        const bytes = (piece as Buffer).subarray(0, end - position + 1) // a stream without an encoding gives bytes
        position += bytes.byteLength
        breaks = 0
        yield bytes
        if (position > end) return
      }
      if (position <= end) throw new Error('The store sent less than it has')
    } catch (error) {
      breaks += 1
      if (signal.aborted || breaks > mostBreaks) throw error
      await delay(100 * 2 ** breaks)
    }
    body = undefined
  }
}
