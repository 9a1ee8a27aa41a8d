import {fromPromise} from 'xstate'
import {promisePort} from './ports.ts'

/** `at` in milliseconds of the browser's clock; `atMost` bounds the wait when that clock jumped back. */
export type SleepInput = {at: number; atMost?: number}

/**
 * A wait until a moment. `after` timers are not rescheduled when a state is re-entered from stored data; this actor
 * is, with the time that remains.
 */
export const sleepUntilPort = () => promisePort<void, SleepInput>('sleepUntil')

type Timers<Handle> = {
  now: () => number
  setTimeout: (callback: () => void, milliseconds: number) => Handle
  clearTimeout: (handle: Handle) => void
}

/** The part of an AbortSignal that is used; charts are compiled without the DOM's types. */
type Abortable = {addEventListener: (type: 'abort', listener: () => void, options: {once: true}) => void}

const longestTimer = 2 ** 31 - 1

/** Fills `sleepUntil` with the timers of the platform, or of a test. */
export const createSleepUntil = <Handle>({now, setTimeout, clearTimeout}: Timers<Handle>) =>
  fromPromise<void, SleepInput>(
    ({input, signal}: {input: SleepInput; signal: Abortable}) =>
      new Promise((resolve) => {
        const wait = Math.max(0, Math.min(input.at - now(), input.atMost ?? longestTimer, longestTimer))
        const handle = setTimeout(resolve, wait)
        signal.addEventListener('abort', () => clearTimeout(handle), {once: true})
      }),
  )
