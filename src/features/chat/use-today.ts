import {useSyncExternalStore} from 'react'
import {defer, fromEvent, merge, share, timer} from 'rxjs'

/** Local midnight in milliseconds, that of today or of a day after it. */
const midnight = (at: number, days = 0) => {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

/**
 * It may be another day: midnight has passed, or the page is shown again after a sleep, when timers are behind. Later
 * days are looked for each hour, since not each has 24 of them.
 */
const looks$ = defer(() =>
  merge(fromEvent(document, 'visibilitychange'), timer(new Date(midnight(Date.now(), 1)), 3_600_000)),
).pipe(share())

function subscribe(onChange: () => void): () => void {
  const looks = looks$.subscribe(onChange)
  return () => looks.unsubscribe()
}

/** The midnight that today began with, in milliseconds: a view with a day in it is shown anew when it is over. */
export const useToday = (now: () => number = Date.now): number => useSyncExternalStore(subscribe, () => midnight(now()))
