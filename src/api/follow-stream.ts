import {Observable, type Subscriber} from 'rxjs'
import {followFrame, type FollowFrame} from '#contract/answer-frames.ts'
import type {FeedEvent} from '#domain/answer.ts'
import {toPieces} from '#domain/frame-pieces.ts'
import type {Log} from '#domain/log.ts'
import {parseJson} from '#domain/parse-json.ts'
import {openBody$} from './answer-stream.ts'
import {errorOfFetch} from './api-error.ts'
import {aliveInterval, type StreamRequest} from './read-answer.ts'
import {createEventReader} from './sse.ts'

type FollowRequest = Pick<StreamRequest, 'fetch' | 'log' | 'now' | 'init'>

/** Lines → frames. A line that is not a frame is logged and skipped. */
function createFrameReader(log: Log) {
  const lines = createEventReader()
  return (bytes: Uint8Array): FollowFrame[] =>
    [...lines.push(bytes)].flatMap((line) => {
      if (line === 'end') return []
      const frame = followFrame.safeParse(parseJson(line.data))
      if (frame.success) return [frame.data]
      log('Skipped in the stream of running answers', {start: line.data.slice(0, 120)})
      return []
    })
}

async function read(
  bytes: ReadableStreamDefaultReader<Uint8Array>,
  {log, now}: FollowRequest,
  subscriber: Subscriber<FeedEvent>,
): Promise<void> {
  const readFrames = createFrameReader(log)
  let lastHeard = now()
  subscriber.next({type: 'feed.connected'})
  for (let chunk = await bytes.read(); !chunk.done; chunk = await bytes.read()) {
    if (subscriber.closed) return
    const frames = readFrames(chunk.value)
    if (frames.length > 0 || now() - lastHeard >= aliveInterval) {
      lastHeard = now()
      subscriber.next(frames.length > 0 ? {type: 'feed.received', pieces: toPieces(frames)} : {type: 'feed.pinged'})
    }
  }
  subscriber.complete()
}

/**
 * All running answers of the user, each from its start. Cold, like `openBody$`; completes when the server ends the
 * stream.
 */
export const openFollow$ = (request: FollowRequest): Observable<FeedEvent> =>
  openBody$(
    request,
    ({bytes}) =>
      new Observable<FeedEvent>((subscriber) => {
        read(bytes, request, subscriber).catch((reason: unknown) => subscriber.error(errorOfFetch(reason)))
      }),
  )
