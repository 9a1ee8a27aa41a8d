import {failureOfBody, lostContact, toFailure, type Failure} from '#domain/failure.ts'

/** A `Failure` that can be thrown, for a call that did not succeed. Its message is `code - detail`. */
export class ApiError extends Error implements Failure {
  override name = 'ApiError'
  readonly code!: string
  readonly detail!: string
  readonly status?: number
  readonly traceId?: string
  readonly field?: string
  readonly needed?: string
  readonly available?: string
  readonly lost?: boolean
  readonly retryAfterSeconds?: number

  constructor(failure: Failure, options?: ErrorOptions) {
    super(`${failure.code} - ${failure.detail}`, options)
    Object.assign(this, failure)
  }
}

/** Without a JSON body these statuses are still clear: too large, too many, a server error. */
const isClearStatus = (status: number) => status >= 500 || status === 429 || status === 413

/** A body that is not JSON tells the user nothing: `unknown` (contract/chat §3). */
export const failureOfResponse = (body: unknown, status: number): Failure =>
  typeof body === 'object' && body !== null
    ? failureOfBody(body, status)
    : {...failureOfBody(undefined, status), ...(isClearStatus(status) ? {} : {code: 'unknown'})}

/** Maps a rejected `fetch` to an error: canceled by us, timed out, or no contact. Never a refusal. */
export const errorOfFetch = (reason: unknown): ApiError => {
  if (reason instanceof ApiError) return reason
  const failure = toFailure(reason)
  const isKnown = failure.code === 'canceled' || failure.lost === true
  return new ApiError(isKnown ? failure : lostContact(failure.detail), {cause: reason})
}
