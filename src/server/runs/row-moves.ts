import type {Timers} from '../providers/timers.ts'
import {abortOf, firstOf} from '../work/races.ts'
import type {RowSignals} from './row-signals.ts'

/** How often a follower looks by itself, should a signal between processes be lost. */
export const lookMilliseconds = 2_000

export type RowMovesParts = {signals: Pick<RowSignals, 'onceMoved'>; timers: Timers}

/**
 * Yields at once and then whenever a row may have moved: at a signal, and each time that `milliseconds` have passed.
 * Ends when `signal` aborts. Listens before it yields, so that no move between look and wait is missed.
 */
export async function* rowMoves(
  {signals, timers}: RowMovesParts,
  id: string,
  signal: AbortSignal,
  milliseconds = lookMilliseconds,
): AsyncGenerator<void> {
  while (!signal.aborted) {
    const move = firstOf(
      (listener) => signals.onceMoved(id, listener),
      (listener) => timers.after(milliseconds, listener),
      abortOf(signal),
    )
    try {
      yield
      await move.done
    } finally {
      move.cancel()
    }
  }
}
