import {HttpFailure} from '../http/failure.ts'
import type {Connection, Connections} from './connections.ts'

/**
 * Bytes that may wait in a connection. The texts themselves are pulled from memory or rows as the client reads, so a slow
 * reader costs no more than this (security R67 allows 1 MiB).
 */
const highWaterMark = 64 * 1024

export type StreamOptions = {
  contentType: string
  userId: string
  credentialId: string | undefined
  /** Cuts the client's connection, where there is one. */
  drop?: (() => void) | undefined
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

/**
 * A response whose body is pulled as the client reads. Kept alive by pings, cut when its credential is revoked.
 *
 * @throws HttpFailure 429 when the user has too many open streams
 */
export function streamOf(connections: Connections, options: StreamOptions): Response {
  return new Response(createBody(connections, options), {
    headers: {
      'content-type': options.contentType,
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...options.headers,
    },
  })
}

function createBody(
  connections: Connections,
  {userId, credentialId, drop, head, pull, ping, dropsStalled, leaving}: StreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let hasRead = true
  let hasWritten = false
  let remove: () => void = () => undefined

  const write = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) => {
    if (text === '') return
    hasWritten = true
    controller.enqueue(encoder.encode(text))
  }
  const leave = () => {
    remove()
    leaving.abort()
  }

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const connection: Connection = {
          userId,
          credentialId,
          ping: () => {
            if (!hasWritten && (controller.desiredSize ?? 0) > 0) write(controller, ping() ?? '')
            hasWritten = false
          },
          isStalled: () => {
            const isFull = (controller.desiredSize ?? 1) <= 0
            const isStalled = dropsStalled && isFull && !hasRead
            hasRead = false
            return isStalled
          },
          close: () => {
            leave()
            // Cut and not ended: the client must not take the part for the whole.
            if (drop) drop()
            else controller.error(new Error('The stream was closed by the server; the work goes on.'))
          },
        }
        const added = connections.add(connection)
        if (added === undefined)
          throw new HttpFailure(429, 'too_many_requests', 'tooManyStreams', {retryAfterSeconds: 5})
        remove = added
        write(controller, head)
      },
      pull: async (controller) => {
        hasRead = true
        try {
          const text = await pull()
          if (leaving.signal.aborted) return
          if (text !== undefined) return write(controller, text)
          leave()
          controller.close()
        } catch (error) {
          leave()
          throw error
        }
      },
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({highWaterMark}),
  )
}
