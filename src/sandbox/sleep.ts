import {setTimeout} from 'node:timers/promises'

/** Waits, or rejects with the signal's reason. Milliseconds. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

export const realSleep: Sleep = (milliseconds, signal) =>
  setTimeout(milliseconds, undefined, {signal}).catch(() => signal.throwIfAborted())
