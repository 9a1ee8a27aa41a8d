import type {ErrorCode, ErrorKind, RefusalCode} from '#contract/errors.ts'
import {isRecord} from './is-record.ts'

/** What went wrong, as plain data. Its text is `code - detail` (contract/errors §2). */
export type Failure = {
  code: string
  detail: string
  /** HTTP status, when a server answered. */
  status?: number
  traceId?: string
  /** Path of the refused input, when a server of ours names it. */
  field?: string
  /** No answer arrived: nothing is known about what the server did. Never the same as a refusal. */
  lost?: boolean
}

type ErrorRow = {
  /** HTTP status the kind belongs to; `undefined` when it never comes from a server. */
  status: number | undefined
  /** Message id of the sentence shown when the server sent none. */
  textId: `api.${ErrorCode}`
  /** Whether asking again, unchanged, may succeed. */
  retryable: boolean
}

const row = <Kind extends ErrorCode>(kind: Kind, status: number | undefined, retryable: boolean) => ({
  [kind]: {status, textId: `api.${kind}`, retryable},
})

/** The eleven request-layer error kinds and their defaults (spec §8, contract/errors §2 and §3). */
export const errorTable = {
  ...row('duplication', 409, false),
  ...row('busy', 500, true),
  ...row('api_error', 500, true),
  ...row('bad_request', 400, false),
  ...row('used_up', 403, false),
  ...row('unknown', undefined, true),
  ...row('canceled', undefined, true),
  ...row('timeout', 504, true),
  ...row('content_too_large', 413, false),
  ...row('too_many_requests', 429, true),
  ...row('not_applied', undefined, false),
  // as: computed keys widen to an index signature; the test walks errorKinds and finds each of them here
} as Record<ErrorKind, ErrorRow>

/** Refusals of a provider beside them: each says what a person can do about it. */
export const refusalTable = {
  ...row('forbidden', 403, false),
  ...row('payment_required', 402, true),
  // as: computed keys widen to an index signature; the test walks refusalCodes and finds each of them here
} as Record<RefusalCode, ErrorRow>

const rows: Record<ErrorCode, ErrorRow> = {...errorTable, ...refusalTable}

/** Default text and code of a failure whose body names neither (spec §8). */
export const defaultDetail = 'An error occurred'
export const defaultCode: ErrorKind = 'api_error'

/** A stream the browser cannot read (spec §8). */
export const unreadableStream: Failure = {code: 'api_error', detail: 'ReadableStream not supported.', status: 500}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(rows, code)

/** The row of the tables for a failure: its own code, else `unknown`. */
export const errorRow = (failure: Failure): ErrorRow => rows[isErrorCode(failure.code) ? failure.code : 'unknown']

export const isRetryable = (failure: Failure) => failure.lost === true || errorRow(failure).retryable

/** Only an authenticated 401 or a refused grant ends a session (security R17). */
export const endsSession = (failure: Failure) =>
  failure.status === 401 || (failure.code === 'invalid_grant' && failure.lost !== true)

/** A server that was reached said no: neither its own fault, nor a lost connection, nor a yes that cannot be read. */
export const isRefusal = ({status, lost}: Failure) =>
  lost !== true && status !== undefined && status >= 400 && status < 500 && status !== 429

/** The text of a failure: `code - detail`. */
export const failureText = (failure: Failure) => `${failure.code} - ${failure.detail}`

/** A call that never got an answer: no network, no route, connection cut. */
export const lostContact = (detail: string, code: ErrorKind = 'unknown'): Failure => ({code, detail, lost: true})

/** The kind that stands for a status whose body names no code. */
export const codeOfStatus = (status: number): ErrorCode => {
  switch (status) {
    case 400:
    case 422:
      return 'bad_request'
    case 402:
      return 'payment_required'
    case 403:
      return 'forbidden'
    case 408:
    case 504:
      return 'timeout'
    case 409:
      return 'duplication'
    case 413:
      return 'content_too_large'
    case 429:
      return 'too_many_requests'
    case 502:
    case 503:
      return 'busy'
    default:
      return defaultCode
  }
}

const text = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/**
 * Reads the body of a failed answer in every form known: `{error: {code, message}, trace_id}`, `{error: 'text'}`,
 * `{code, detail}`, `{code, message}`. What it does not say is filled from the status and the defaults.
 */
export function failureOfBody(body: unknown, status?: number): Failure {
  const outer = isRecord(body) ? body : {}
  const inner = isRecord(outer.error) ? outer.error : outer
  const fallback = status === undefined ? defaultCode : codeOfStatus(status)
  const traceId = text(outer.trace_id)
  const field = text(outer.field)
  return {
    code: text(inner.code) ?? fallback,
    detail: text(inner.message) ?? text(inner.detail) ?? text(outer.error) ?? defaultDetail,
    ...(status === undefined ? {} : {status}),
    ...(traceId === undefined ? {} : {traceId}),
    ...(field === undefined ? {} : {field}),
  }
}

const networkWords = /fetch|network|load failed|terminated|connection|socket/i

function failureOfError(error: Error): Failure {
  if (error.name === 'AbortError') return {code: 'canceled', detail: error.message}
  if (error.name === 'TimeoutError') return lostContact(error.message, 'timeout')
  if (error instanceof TypeError && networkWords.test(error.message)) return lostContact(error.message)
  return {code: 'unknown', detail: error.message || defaultDetail}
}

/** Any rejected value as a `Failure`; total: never throws, never empty. */
export function toFailure(reason: unknown): Failure {
  if (typeof reason === 'string') return {code: 'unknown', detail: reason || defaultDetail}
  if (!isRecord(reason)) return {code: 'unknown', detail: defaultDetail}
  const status = typeof reason.status === 'number' ? reason.status : undefined
  if (typeof reason.code === 'string' && typeof reason.detail === 'string') {
    return {
      ...failureOfBody(reason, status),
      ...(typeof reason.traceId === 'string' ? {traceId: reason.traceId} : {}),
      ...(reason.lost === true ? {lost: true} : {}),
    }
  }
  if (reason instanceof Error) return failureOfError(reason)
  if (typeof reason.name === 'string' && typeof reason.message === 'string')
    // as: a DOMException of another realm is no instance of Error but has its shape
    return failureOfError(reason as unknown as Error)
  if ('data' in reason) return failureOfBody(reason.data, status)
  if ('error' in reason || 'code' in reason || status !== undefined) return failureOfBody(reason, status)
  return {code: 'unknown', detail: defaultDetail}
}
