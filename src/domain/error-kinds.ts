type Row = {
  /** The HTTP status our server answers with (contract/errors §2); a kind that clients make up has one for the rows of usage. */
  status: 400 | 402 | 403 | 409 | 413 | 429 | 500 | 504
  /** Statuses that mean this kind where the body names no code. */
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
 * Codes of a refusal beside the eleven: a provider's moderation (contract/errors §3), an account of the installation that
 * is out of credit, which is not the person's `used_up`, and a picture without the QR code that was to be read.
 */
const refusals = {
  forbidden: {status: 403, meant: [403]},
  payment_required: {status: 402, meant: [402]},
  no_code: {status: 400},
} as const satisfies Record<string, Row>

export type ErrorKind = keyof typeof kinds
export type ErrorCode = ErrorKind | keyof typeof refusals

/** Everything that is known of an error code. Its sentence is `api.<code>`, shown when the server sent none. */
export const errorTable: {readonly [Code in ErrorCode]: Row} = {...kinds, ...refusals}

/** Code and text of a failure whose body names neither (spec §8). */
export const defaultCode: ErrorKind = 'api_error'
export const defaultDetail = 'An error occurred'
/** The code that stands for every one nobody knows. */
export const unknownCode: ErrorKind = 'unknown'

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code)

// as: the keys of the tables and nothing else
export const errorKinds = Object.keys(kinds) as ErrorKind[]
const errorCodes = Object.keys(errorTable) as ErrorCode[]

/** The code that stands for a status whose body names none. */
export const codeOfStatus = (status: number): ErrorCode =>
  errorCodes.find((code) => errorTable[code].meant?.includes(status)) ?? defaultCode

/** The HTTP status of a code, for JSON answers and rows of usage; what nobody knows is a 500. */
export const statusOfCode = (code: string): Row['status'] => errorTable[isErrorCode(code) ? code : unknownCode].status
