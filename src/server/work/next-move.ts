import type {Timers} from '../providers/timers.ts'
import type {RowSignals} from './row-signals.ts'

/** How often a follower looks by itself, should a signal between processes be lost. */
export const lookMilliseconds = 2_000

/**
 * Waits until a row may have moved: told, or because it is time to look again, or since `signal` aborts. Begun before the
 * row is read, so that nothing between reading and waiting is missed; `cancel` ends the wait.
 */
export function nextMove(
  parts: {signals: Pick<RowSignals, 'onceMoved'>; timers: Timers},
  id: string,
  signal: AbortSignal,
  milliseconds = lookMilliseconds,
): {done: Promise<void>; cancel: () => void} {
  let cancel: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    cancel = () => {
      forget()
      stopTimer()
      signal.removeEventListener('abort', cancel)
      resolve()
    }
    const forget = parts.signals.onceMoved(id, () => cancel())
    const stopTimer = parts.timers.after(milliseconds, () => cancel())
    signal.addEventListener('abort', cancel, {once: true})
  })
  return {done, cancel}
}
