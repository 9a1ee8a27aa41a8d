import {useSyncExternalStore} from 'react'

let ticks = 0

function subscribe(listener: () => void) {
  const timer = setInterval(() => {
    ticks += 1
    listener()
  }, 1_000)
  return () => clearInterval(timer)
}

/** Draws the caller again each second. Only the line with the elapsed time calls it, never the card. */
export const useTick = (): number => useSyncExternalStore(subscribe, () => ticks)
