import {useSyncExternalStore} from 'react'
import {interval, share, tap} from 'rxjs'

let ticks = 0
const ticks$ = interval(1_000).pipe(
  tap(() => (ticks += 1)),
  share(),
)

function subscribe(listener: () => void) {
  const subscription = ticks$.subscribe(listener)
  return () => subscription.unsubscribe()
}

/**
 * Draws the caller again each second, with one clock for all who watch time pass. Nothing ticks while nobody does; only
 * the line with the elapsed time is drawn, never the card.
 */
export const useTick = (): number => useSyncExternalStore(subscribe, () => ticks)
