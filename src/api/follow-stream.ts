import {Observable, type Subscriber} from 'rxjs'
import {followFrame, type FollowFrame} from '#contract/chat.ts'
import type {Log} from '#domain/log.ts'
import {parseJson} from '#domain/parse-json.ts'
import {openBody$, type StreamRequest} from './answer-stream.ts'
import {errorOfFetch} from './api-error.ts'
import {aliveInterval, isSettled} from './read-answer.ts'
import {createEventReader} from './sse.ts'

/** Events of the stream of all running answers. Frames of one read are one event. */
export type FollowEvent =
  {type: 'feed.connected'} | {type: 'feed.pinged'} | {type: 'feed.received'; frames: FollowFrame[]}

type FollowRequest = Pick<StreamRequest, 'fetch' | 'log' | 'now' | 'init' | 'frames'>

/** Lines → frames. A line that is not a frame is logged and skipped. */
function createFrameReader(log: Log) {
  let pending: FollowFrame[] = []
  const events = createEventReader({
    takeLine: (data) => {
      const frame = followFrame.safeParse(parseJson(data))
      if (frame.success) pending.push(frame.data)
      else log('Skipped in the stream of running answers', {start: data.slice(0, 120)})
      return true
    },
  })
  return (bytes: Uint8Array): FollowFrame[] => {
    // `takeLine` consumes every line, so no event remains
    for (const _ of events.push(bytes));
    const frames = pending
    pending = []
    return frames
  }
}

async function read(
  bytes: ReadableStreamDefaultReader<Uint8Array>,
  {log, now, frames: rhythm}: FollowRequest,
  subscriber: Subscriber<FollowEvent>,
): Promise<void> {
  const readFrames = createFrameReader(log)
  let lastHeard = now()
  subscriber.next({type: 'feed.connected'})
  let next = bytes.read()
  while (!subscriber.closed) {
    const chunk = await next
    if (chunk.done) return subscriber.complete()
    const frames = readFrames(chunk.value)
    if (frames.length > 0 || now() - lastHeard >= aliveInterval) {
      lastHeard = now()
      subscriber.next(frames.length > 0 ? {type: 'feed.received', frames} : {type: 'feed.pinged'})
    }
    next = bytes.read()
    if (!(await isSettled(next))) await rhythm?.rest()
  }
}

/**
 * All running answers of the user, each from its start. Cold, like `openBody$`; completes when the server ends the
 * stream.
 */
export const openFollow$ = (request: FollowRequest): Observable<FollowEvent> =>
  openBody$(
    request,
    ({bytes}) =>
      new Observable<FollowEvent>((subscriber) => {
        read(bytes, request, subscriber).catch((reason: unknown) => subscriber.error(errorOfFetch(reason)))
      }),
  )
