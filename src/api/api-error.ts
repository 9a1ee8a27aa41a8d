import {failureOfBody, lostContact, toFailure, type Failure} from '#domain/failure.ts'

/** A call that did not do what it was asked: a `Failure` that can be thrown. Its message is `code - detail`. */
export class ApiError extends Error implements Failure {
  override name = 'ApiError'
  readonly code: string
  readonly detail: string
  readonly status?: number
  readonly traceId?: string
  readonly field?: string
  readonly lost?: boolean
  readonly retryAfterSeconds?: number

  constructor(failure: Failure, options?: ErrorOptions) {
    super(`${failure.code} - ${failure.detail}`, options)
    this.code = failure.code
    this.detail = failure.detail
    this.status = failure.status
    this.traceId = failure.traceId
    this.field = failure.field
    this.lost = failure.lost
    this.retryAfterSeconds = failure.retryAfterSeconds
  }
}

/** Without a JSON body the status still says "too large", "too many" or that the server is at fault. */
const isClearStatus = (status: number) => status >= 500 || status === 429 || status === 413

/** A body that is not JSON says nothing a person could use: `unknown` (contract/chat §3). */
export const failureOfResponse = (body: unknown, status: number): Failure =>
  typeof body === 'object' && body !== null
    ? failureOfBody(body, status)
    : {...failureOfBody(undefined, status), ...(isClearStatus(status) ? {} : {code: 'unknown'})}

/** What a rejected `fetch` means: canceled by us, out of time, or no contact. Never a refusal. */
export const errorOfFetch = (reason: unknown): ApiError => {
  if (reason instanceof ApiError) return reason
  const failure = toFailure(reason)
  const isKnown = failure.code === 'canceled' || failure.lost === true
  return new ApiError(isKnown ? failure : lostContact(failure.detail), {cause: reason})
}
