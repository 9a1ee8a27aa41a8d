import {concat, filter, map, Observable, of, race, Subscription, switchMap, takeWhile, timer} from 'rxjs'
import type {SlotEvent} from '#domain/stream-slot.ts'
import type {Leadership} from './leadership.ts'

/**
 * Streams of answers in all tabs of a browser and user. A browser opens six connections to a host over HTTP/1.1, and
 * management calls need some of them (security R69). With the one stream that all tabs share and one question in
 * flight, answers use four at most.
 */
const mostStreams = 2

/** Milliseconds after which a lock counts as held by another tab, should the browser not say so. */
const patience = 1_000

const slotNames = (userId: string) =>
  Array.from({length: mostStreams}, (_, index) => `atrium.stream.${userId}.${index + 1}`)
const passName = (userId: string) => `atrium.stream.${userId}.pass`

/** Competes for all names and keeps the first free one until unsubscribed; `false` as long as none is. */
const oneOf$ = (leadership: Leadership, names: readonly string[]): Observable<boolean> =>
  new Observable((subscriber) => {
    const queues = new Map<string, Subscription>()
    const takenNames = new Set<string>()
    let ownName: string | undefined
    for (const name of names) {
      if (ownName !== undefined) break
      const queue = new Subscription()
      queues.set(name, queue)
      queue.add(
        leadership(name, {isClaiming: false}).subscribe({
          next: ({type}) => {
            if (ownName !== undefined) return
            if (type === 'leader.lost') {
              takenNames.add(name)
              if (takenNames.size === names.length) subscriber.next(false)
              return
            }
            ownName = name
            for (const [other, waiting] of queues) if (other !== name) waiting.unsubscribe()
            subscriber.next(true)
          },
          // a browser that cannot count lets every stream start
          error: () => {
            if (ownName !== undefined) return
            ownName = name
            subscriber.next(true)
          },
        }),
      )
    }
    return () => queues.forEach((queue) => queue.unsubscribe())
  })

/** Follows the last event of a stream: what waits for the stream ends with it. */
const streamEnd = Symbol('ended')

/** Opens the stream once it has a slot and keeps the slot until the stream ends. */
const during = <Slot, T>(slot$: Observable<Slot>, streamOf: (slot: Slot) => Observable<T>): Observable<T> =>
  slot$.pipe(
    switchMap((slot) => concat(streamOf(slot), of<typeof streamEnd>(streamEnd))),
    takeWhile((event): event is T => event !== streamEnd),
  )

const word = <Type extends SlotEvent['type']>(type: Type) => of({type})

export type SlotRequest<T> = {
  userId: string
  stream$: Observable<T>
  /**
   * Set if the answer can continue without this stream. `isNamed` recognizes the event that names the answer: without a
   * slot the stream stays open until that event. Without `isNamed` the answer has its name already, and the stream is
   * not opened.
   */
  follow: {isNamed?: (event: T) => boolean} | undefined
}

/** Opens the stream of an answer within the limit that the tabs of a browser share. */
export const createStreamSlots =
  (leadership: Leadership) =>
  <T>({userId, stream$, follow}: SlotRequest<T>): Observable<T | SlotEvent> => {
    const slot$ = oneOf$(leadership, slotNames(userId))
    const isFree$ = race(slot$, timer(patience).pipe(map(() => false))).pipe(takeWhile((isFree) => isFree, true))
    const queued$ = (until: 'named' | 'ended', turn$: Observable<boolean>, next$: Observable<T | SlotEvent>) =>
      concat(
        of({type: 'slot.awaited', until} as const),
        during(turn$.pipe(filter(Boolean)), () => concat(word('slot.granted'), next$)),
      )
    const otherwise$ = () => {
      if (follow === undefined) return queued$('ended', slot$, stream$)
      const {isNamed} = follow
      if (isNamed === undefined) return word('slot.denied')
      const untilNamed$ = stream$.pipe(takeWhile((event) => !isNamed(event), true))
      return queued$('named', oneOf$(leadership, [passName(userId)]), concat(untilNamed$, word('slot.denied')))
    }
    return during(isFree$, (isFree): Observable<T | SlotEvent> => (isFree ? stream$ : otherwise$()))
  }
