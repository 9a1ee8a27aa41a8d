import {useSyncExternalStore} from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let ticks = 0

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    ticks += 1
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/**
 * Draws the caller again each second, with one clock for all who watch time pass. Nothing ticks while nobody does; only
 * the line with the elapsed time is drawn, never the card.
 */
export const useTick = (): number => useSyncExternalStore(subscribe, () => ticks)
