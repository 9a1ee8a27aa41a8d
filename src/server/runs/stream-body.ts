import {HttpFailure} from '../http/failure.ts'
import type {Connection, Connections} from './connections.ts'
import {contentTypes, ping} from '../ai/answers/answer-frames.ts'

/**
 * Bytes that may wait in a connection. The deltas themselves are pulled from memory or rows as the client reads, so a slow
 * reader costs no more than this (security R67 allows 1 MiB); one that reads nothing from one ping to the next is dropped
 * and resumes.
 */
const highWaterMark = 64 * 1024

export type StreamOptions = {
  form: 'event-stream' | 'ndjson'
  userId: string
  credentialId: string | undefined
  /** Cuts the client's connection, where there is one. */
  drop?: (() => void) | undefined
  headers?: Record<string, string> | undefined
  /** What stands in the body before anything is pulled. */
  head: string
  /** The next text of the body; `undefined` ends it. */
  pull: () => Promise<string | undefined>
  /** Nobody reads any more: whoever left, or a revoked credential. Aborted by this function. */
  leaving: AbortController
}

/**
 * A response whose body is pulled as the client reads. Kept alive by pings, cut when its credential is revoked.
 *
 * @throws HttpFailure 429 when the person has too many open streams
 */
export function streamOf(connections: Connections, options: StreamOptions): Response {
  return new Response(createBody(connections, options), {
    headers: {
      'content-type': contentTypes[options.form],
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...options.headers,
    },
  })
}

function createBody(
  connections: Connections,
  {form, userId, credentialId, drop, head, pull, leaving}: StreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let hasRead = true
  let remove: () => void = () => undefined

  const write = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) => {
    if (text !== '') controller.enqueue(encoder.encode(text))
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
            if (form === 'event-stream' && (controller.desiredSize ?? 0) > 0) write(controller, ping)
          },
          isStalled: () => {
            const isFull = (controller.desiredSize ?? 1) <= 0
            const isStalled = isFull && !hasRead
            hasRead = false
            return isStalled
          },
          close: () => {
            leave()
            // Cut and not ended: nobody shall take what was sent for all there was.
            if (drop) drop()
            else controller.error(new Error('The stream was closed by the server; the answer goes on.'))
          },
        }
        const added = connections.add(connection)
        if (added === undefined)
          throw new HttpFailure(429, 'too_many_requests', 'tooManyStreams', {
            retryAfterSeconds: 5,
          })
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
