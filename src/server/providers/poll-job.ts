import type {OutboundPorts} from './outbound.ts'
import {pause} from './pause.ts'
import {ProviderFailure} from './provider.ts'

const pollMilliseconds = 3_000
const longestPause = 30_000
/** No longer than this is a server believed that it wants to be left alone. */
const longestWish = 5 * 60_000
/** A job that was just made may not be listed yet; contact may be lost for a while. */
const mostMisses = 10

/**
 * Asks for a job until `look` has its result. Faults of the server and a job that is not found are borne for a while, with
 * growing pauses, never shorter than the server asks for (`Retry-After`), since what is asked for is paid already; what
 * the server refuses for good ends it.
 */
export async function pollJob<T>(
  {timers}: Pick<OutboundPorts, 'timers'>,
  signal: AbortSignal,
  look: () => Promise<T | undefined>,
): Promise<T> {
  let misses = 0
  for (;;) {
    let wish = 0
    try {
      const result = await look()
      if (result !== undefined) return result
      misses = 0
    } catch (error) {
      misses += 1
      if (signal.aborted || misses > mostMisses || !isPassing(error)) throw error
      wish = Math.min(longestWish, wishOf(error))
    }
    await pause(timers, Math.max(wish, Math.min(longestPause, pollMilliseconds * 2 ** misses)), signal)
  }
}

/** Milliseconds for which the server asked to be left alone. */
const wishOf = (error: unknown): number =>
  error instanceof ProviderFailure ? (error.options.retryAfterSeconds ?? 0) * 1_000 : 0

/** A job that is not found, which `look` says so. */
export const jobNotFound = (name: string, cause?: unknown) =>
  new ProviderFailure('api_error', `${name} does not know this job any more.`, {status: 404, cause})

/** A failed job is an answer; `look` throws it without a status. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ProviderFailure)) return false
  const {status} = error.options
  if (error.code === 'canceled') return false
  return (
    status === 404 || status === 408 || status === 429 || (status !== undefined && status >= 500) || isUnreached(error)
  )
}

const isUnreached = ({code, options}: ProviderFailure) =>
  options.status === undefined && options.cause !== undefined && (code === 'api_error' || code === 'timeout')
