type Row = {
  /**
   * The HTTP status of our server's answer (contract/errors §2); kinds that only clients use have one for the rows of
   * usage.
   */
  status: 400 | 402 | 403 | 409 | 413 | 429 | 500 | 504
  /** Statuses that mean this kind if the body names no code. */
  meant?: readonly number[]
}

/** The eleven request-layer error kinds (spec §8), in the specification's order. */
const kinds = {
  duplication: {status: 409, meant: [409]},
  busy: {status: 500, meant: [502, 503]},
  api_error: {status: 500},
  bad_request: {status: 400, meant: [400, 422]},
  used_up: {status: 403},
  unknown: {status: 500},
  canceled: {status: 409},
  timeout: {status: 504, meant: [408, 504]},
  content_too_large: {status: 413, meant: [413]},
  too_many_requests: {status: 429, meant: [429]},
  not_applied: {status: 400},
} as const satisfies Record<string, Row>

/**
 * Codes of a refusal beside the eleven: a provider's moderation (contract/errors §3), an installation's account without
 * credit (not the user's `used_up`), and an image without a readable QR code.
 */
const refusals = {
  forbidden: {status: 403, meant: [403]},
  payment_required: {status: 402, meant: [402]},
  no_code: {status: 400},
} as const satisfies Record<string, Row>

export type ErrorKind = keyof typeof kinds
export type ErrorCode = ErrorKind | keyof typeof refusals

/** All facts of an error code. Its sentence is `api.<code>`, shown if the server sent none. */
export const errorTable: {readonly [Code in ErrorCode]: Row} = {...kinds, ...refusals}

/** Code and text of a failure whose body has neither (spec §8). */
export const defaultCode: ErrorKind = 'api_error'
export const defaultDetail = 'An error occurred'
/** The code for every unknown code. */
export const unknownCode: ErrorKind = 'unknown'

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code)

// as: the keys of the tables and nothing else
export const errorKinds = Object.keys(kinds) as ErrorKind[]
const errorCodes = Object.keys(errorTable) as ErrorCode[]

/** The code for a status whose body names none. */
export const codeOfStatus = (status: number): ErrorCode =>
  errorCodes.find((code) => errorTable[code].meant?.includes(status)) ?? defaultCode

/** The HTTP status of a code, for JSON answers and rows of usage; 500 for an unknown code. */
export const statusOfCode = (code: string): Row['status'] => errorTable[isErrorCode(code) ? code : unknownCode].status
