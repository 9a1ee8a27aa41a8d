import type {Deadlines} from './call-upstream.ts'
import type {OutboundPorts} from './outbound.ts'
import {pause} from '../work/races.ts'
import {ProviderFailure} from './provider.ts'

/** Deadlines of one request for the state of a job. */
export const pollDeadlines: Deadlines = {firstByteMilliseconds: 45_000, idleMilliseconds: 45_000}
const pollMilliseconds = 3_000
const longestPause = 30_000
/** No longer than this is a server believed that it wants to be left alone. */
const longestWish = 5 * 60_000
/** A job that was just made may not be listed yet; contact may be lost for a while. */
const mostMisses = 10
/** A key may be changed while a job runs: it was accepted when the job was made. */
const mostLockedOut = 5

/**
 * Asks for a job until `look` has its result. Faults of the server and a job that is not found are borne for a while, a
 * key that is not accepted for a few looks in a row, with growing pauses, never shorter than the server asks for
 * (`Retry-After`), since what is asked for is paid already; what the server refuses for good ends it.
 */
export async function pollJob<T>(
  {timers}: Pick<OutboundPorts, 'timers'>,
  signal: AbortSignal,
  look: () => Promise<T | undefined>,
): Promise<T> {
  let misses = 0
  let lockedOut = 0
  for (;;) {
    let wait = pollMilliseconds
    try {
      const result = await look()
      if (result !== undefined) return result
      misses = 0
      lockedOut = 0
    } catch (error) {
      misses += 1
      lockedOut = isLockedOut(error) ? lockedOut + 1 : 0
      if (signal.aborted || misses > mostMisses || lockedOut > mostLockedOut) throw error
      if (lockedOut === 0 && !isPassing(error) && !isNotFound(error)) throw error
      wait = pauseAfter(error, misses)
    }
    await pause(timers, wait, signal)
  }
}

/**
 * Fetches a file that was made and paid for, by the rules of `pollJob`, but for as long as the task may last
 * (`signal`); what is gone or refused stays so.
 */
export async function fetchMade<T>(
  {timers}: Pick<OutboundPorts, 'timers'>,
  signal: AbortSignal,
  fetchOnce: () => Promise<T>,
): Promise<T> {
  for (let misses = 1; ; misses += 1) {
    try {
      return await fetchOnce()
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
      await pause(timers, pauseAfter(error, misses), signal)
    }
  }
}

const pauseAfter = (error: unknown, misses: number): number =>
  Math.max(Math.min(longestWish, wishOf(error)), Math.min(longestPause, pollMilliseconds * 2 ** misses))

/** Milliseconds for which the server asked to be left alone. */
const wishOf = (error: unknown): number =>
  error instanceof ProviderFailure ? (error.options.retryAfterSeconds ?? 0) * 1_000 : 0

/** A job that is not found, which `look` says so. */
export const jobNotFound = (name: string) =>
  new ProviderFailure('api_error', `${name} does not know this job any more.`, {status: 404})

/** A failed job is an answer; `look` throws it without a status. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ProviderFailure)) return false
  const {status} = error.options
  if (error.code === 'canceled') return false
  return status === 408 || status === 429 || (status !== undefined && status >= 500) || isUnreached(error)
}

const isNotFound = (error: unknown) => error instanceof ProviderFailure && error.options.status === 404

const isLockedOut = (error: unknown) =>
  error instanceof ProviderFailure && (error.options.status === 401 || error.options.status === 403)

const isUnreached = ({code, options: {status, cause, interrupted}}: ProviderFailure) =>
  status === undefined && (cause !== undefined || interrupted === true) && (code === 'api_error' || code === 'timeout')
