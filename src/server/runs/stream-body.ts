import {once} from 'node:events'
import {HttpFailure} from '../http/failure.ts'
import type {Client} from '../http/route.ts'
import type {Connections} from './connections.ts'

/**
 * Bytes that may wait in a web stream; in a connection it is Node's 16 KiB. The texts themselves are pulled from memory
 * or rows as the client reads, so a slow reader costs no more than this (security R67 allows 1 MiB).
 */
const highWaterMark = 64 * 1024

export type StreamOptions = {
  contentType: string
  userId: string
  credentialId: string | undefined
  /** The client's connection, where there is one. */
  client?: Client | undefined
  headers?: Record<string, string> | undefined
  /** The beginning of the body, before anything is pulled. */
  head: string
  /** The next text of the body; `undefined` ends it. */
  pull: () => Promise<string | undefined>
  /** Keeps an idle connection alive, where the form allows one. */
  ping: () => string | undefined
  /** Whether a client that reads nothing from one look at it to the next is dropped: only one that can resume. */
  dropsStalled: boolean
  /** Aborts when the client left or its credential was revoked. This function aborts it. */
  leaving: AbortController
}

type Opening = Pick<Connections, 'add'>

/** The receiver of a body. */
type Sink = {write: (text: string) => void; isFull: () => boolean; end: () => void; cut: () => void}

const writers = new WeakMap<ReadableStream, () => Promise<void>>()

/**
 * Returns the function that writes the body of a stream into its client's connection, once its head is there;
 * `undefined` for any other body, which is read.
 *
 * @throws of the promise: what broke the stream
 */
export const writerOf = (body: ReadableStream | null): (() => Promise<void>) | undefined =>
  body === null ? undefined : writers.get(body)

/**
 * A response whose body is pulled as the client reads. Kept alive by pings, cut when its credential is revoked. It goes
 * straight into the connection of a client (docs/decisions/0106), and else through a web stream.
 *
 * @throws HttpFailure 429 when the user has too many open streams
 */
export function streamOf(connections: Opening, options: StreamOptions): Response {
  const {client} = options
  const body = client === undefined ? webBody(connections, options) : bodyFor(client, connections, options)
  return new Response(body, {
    headers: {
      'content-type': options.contentType,
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...options.headers,
    },
  })
}

/** Writes a body into its sink, wherever that leads. */
function openFeed(
  connections: Opening,
  {userId, credentialId, ping, dropsStalled, leaving}: StreamOptions,
  sink: Sink,
) {
  let hasRead = true
  let hasWritten = false
  // asked for each word: `signal.aborted` takes longer
  let hasLeft = leaving.signal.aborted
  let remove: () => void = () => undefined
  const write = (text: string) => {
    if (text === '') return
    hasWritten = true
    sink.write(text)
  }
  const leave = () => {
    hasLeft = true
    remove()
    leaving.abort()
  }
  const entry = connections.add({
    userId,
    credentialId,
    ping: () => {
      if (!hasWritten && !sink.isFull()) write(ping() ?? '')
      hasWritten = false
    },
    isStalled: () => {
      const isStalled = dropsStalled && sink.isFull() && !hasRead
      hasRead = false
      return isStalled
    },
    close: () => {
      leave()
      // Cut and not ended: the client must not take the part for the whole.
      sink.cut()
    },
  })
  if (entry === undefined) throw new HttpFailure(429, 'too_many_requests', 'tooManyStreams', {retryAfterSeconds: 5})
  remove = entry
  return {
    leave,
    hasLeft: () => hasLeft,
    /** There is room: the client has read what was written. */
    hear: () => (hasRead = true),
    /** Writes what was pulled, or ends. */
    take: (text: string | undefined) => {
      if (hasLeft) return
      if (text !== undefined) return write(text)
      leave()
      sink.end()
    },
  }
}

function webBody(connections: Opening, options: StreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let feed: ReturnType<typeof openFeed> | undefined
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        feed = openFeed(connections, options, {
          write: (text) => controller.enqueue(encoder.encode(text)),
          isFull: () => (controller.desiredSize ?? 0) <= 0,
          end: () => controller.close(),
          cut: () => controller.error(new Error('The stream was closed by the server; the work goes on.')),
        })
        feed.take(options.head)
      },
      pull: async () => {
        feed?.hear()
        try {
          feed?.take(await options.pull())
        } catch (error) {
          feed?.leave()
          throw error
        }
      },
      cancel: () => feed?.leave(),
    },
    new ByteLengthQueuingStrategy({highWaterMark}),
  )
}

/** A body that nobody reads: it is written into the connection once its head is. */
function bodyFor(client: Client, connections: Opening, options: StreamOptions): ReadableStream {
  const {head, pull, leaving} = options
  let hasBegun = false
  const feed = openFeed(connections, options, {
    write: (text) => client.write(text),
    isFull: () => !hasBegun || client.writableNeedDrain,
    end: () => client.end(),
    cut: () => client.destroy(),
  })
  client.on('close', feed.leave)
  // a client that leaves while it is written to is no fault of the server
  client.on('error', feed.leave)

  const writeAll = async () => {
    hasBegun = true
    if (client.destroyed) return feed.leave()
    feed.take(head)
    while (!feed.hasLeft()) {
      if (client.writableNeedDrain) await once(client, 'drain', {signal: leaving.signal})
      feed.hear()
      feed.take(await pull())
    }
  }
  const body = new ReadableStream({}, {highWaterMark: 0})
  writers.set(body, async () => {
    try {
      await writeAll()
    } catch (error) {
      if (feed.hasLeft()) return
      feed.leave()
      // Cut, as above: what is there is not the whole.
      client.destroy()
      throw error
    }
  })
  return body
}
