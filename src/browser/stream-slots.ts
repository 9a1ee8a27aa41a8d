import {
  concat,
  dematerialize,
  map,
  materialize,
  Observable,
  of,
  race,
  Subscription,
  switchMap,
  takeWhile,
  timer,
} from 'rxjs'
import type {Leadership} from './leadership.ts'

/** `slot.awaited`: the stream waits for its turn; `slot.given`: it goes out; `slot.missing`: it is given up, or was never opened. */
export type SlotEvent = {type: 'slot.awaited'} | {type: 'slot.given'} | {type: 'slot.missing'}

/**
 * Streams of answers in all tabs of a browser and user. A browser opens six connections to a host over HTTP/1.1, and
 * the management calls need some of them (security R69). With one more for the stream that all tabs share and one
 * for a question on its way, answers take four at most.
 */
const mostStreams = 2

/** A lock that nobody holds is there at once; one that takes longer is taken. */
const patience = 150

const slotNames = (userId: string) =>
  Array.from({length: mostStreams}, (_, index) => `atrium.stream.${userId}.${index + 1}`)
const passName = (userId: string) => `atrium.stream.${userId}.pass`

/** Stands in line for all names and keeps the first that is free, until it is unsubscribed. */
const oneOf$ = (leadership: Leadership, names: readonly string[]): Observable<true> =>
  new Observable((subscriber) => {
    const lines = new Map<string, Subscription>()
    let held: string | undefined
    for (const name of names) {
      if (held !== undefined) break
      const line = new Subscription()
      lines.set(name, line)
      line.add(
        leadership(name, {isClaiming: false}).subscribe({
          next: ({type}) => {
            if (type !== 'leader.won' || held !== undefined) return
            held = name
            for (const [other, waiting] of lines) if (other !== name) waiting.unsubscribe()
            subscriber.next(true)
          },
          // a browser that cannot count lets every stream go out
          error: () => {
            if (held !== undefined) return
            held = name
            subscriber.next(true)
          },
        }),
      )
    }
    return () => lines.forEach((line) => line.unsubscribe())
  })

/** Opens the stream once the slot is there and keeps the slot until the stream ends. */
const during = <T>(slot$: Observable<unknown>, stream$: Observable<T>): Observable<T> =>
  slot$.pipe(
    switchMap(() => stream$.pipe(materialize())),
    dematerialize(),
  )

const word = <Type extends SlotEvent['type']>(type: Type) => of({type})

export type SlotRequest<T> = {
  userId: string
  stream$: Observable<T>
  /**
   * The answer can go on without this stream. `isNamed` finds the event that says what it is called: without a slot the
   * stream goes out until then. Left out: the answer is known already, and the stream is not opened at all.
   */
  follow: {isNamed?: (event: T) => boolean} | undefined
}

/** The stream of an answer, within the number of streams that the tabs of a browser may hold together. */
export const createStreamSlots =
  (leadership: Leadership) =>
  <T>({userId, stream$, follow}: SlotRequest<T>): Observable<T | SlotEvent> => {
    const slot$ = oneOf$(leadership, slotNames(userId))
    const isFree$ = race(slot$, timer(patience).pipe(map(() => false)))
    const queued$ = (line$: Observable<unknown>, next$: Observable<T | SlotEvent>) =>
      concat(word('slot.awaited'), during(line$, concat(word('slot.given'), next$)))
    const otherwise$ = () => {
      if (follow === undefined) return queued$(slot$, stream$)
      const {isNamed} = follow
      if (isNamed === undefined) return word('slot.missing')
      const untilNamed$ = stream$.pipe(takeWhile((event) => !isNamed(event), true))
      return queued$(oneOf$(leadership, [passName(userId)]), concat(untilNamed$, word('slot.missing')))
    }
    return isFree$.pipe(
      switchMap((isFree) => (isFree ? stream$ : otherwise$()).pipe(materialize())),
      dematerialize(),
    )
  }
