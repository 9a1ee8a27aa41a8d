import type {ErrorCode} from '#contract/errors.ts'

/*
 * Apart from `failure.ts`, since only the server reads it: the client is told a status and need not know it.
 */

/** HTTP status of each code (contract/errors §2). Those that a client makes up have one for the rows of usage. */
const statuses = {
  duplication: 409,
  busy: 500,
  api_error: 500,
  bad_request: 400,
  used_up: 403,
  unknown: 500,
  canceled: 409,
  timeout: 504,
  content_too_large: 413,
  too_many_requests: 429,
  not_applied: 400,
  forbidden: 403,
  payment_required: 402,
} as const satisfies Record<ErrorCode, number>

type ErrorStatus = (typeof statuses)[ErrorCode]

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(statuses, code)

/** The HTTP status of a code, for JSON answers and rows of usage; what nobody knows is a 500. */
export const statusOfCode = (code: string): ErrorStatus => (isErrorCode(code) ? statuses[code] : statuses.unknown)
