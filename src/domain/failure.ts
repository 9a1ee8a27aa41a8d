import {
  codeOfStatus,
  defaultCode,
  defaultDetail,
  isErrorCode,
  unknownCode,
  type ErrorCode,
  type ErrorKind,
} from './error-kinds.ts'
import {isRecord} from '#contract/is-record.ts'

/** A failure as plain data. Its text is `code - detail` (contract/errors §2). */
export type Failure = {
  code: string
  detail: string
  /** HTTP status, if a server answered. */
  status?: number
  traceId?: string
  /** Path of the refused input, if our server names it. */
  field?: string
  /** Exact credits: what the request would cost at the most, and the balance, if our server names them. */
  needed?: string
  available?: string
  /** No answer arrived: the outcome on the server is unknown. Never the same as a refusal. */
  lost?: boolean
  /** Seconds that a busy server asks to wait. */
  retryAfterSeconds?: number
}

/** A call that needs a credential, and there is none: it never leaves the page. */
export const noToken: Failure = {code: 'not_applied', detail: 'no token'}

/** There was no credential: the request never left the page. */
export const isUnapplied = ({status, code}: Failure) => status === undefined && code === noToken.code

/** The sentence of a failure: that of its own code, else of `unknown`. */
export const errorTextId = ({code}: Failure): `api.${ErrorCode}` => `api.${isErrorCode(code) ? code : unknownCode}`

/** Only an authenticated 401 or a refused grant ends a session (security R17). */
export const endsSession = (failure: Failure) =>
  failure.status === 401 || (failure.code === 'invalid_grant' && failure.lost !== true)

/** The server refused: not a fault of its own, not a lost connection, not an unreadable success. */
export const isRefusal = ({status, lost}: Failure) =>
  lost !== true && status !== undefined && status >= 400 && status < 500 && status !== 429

/** The text of a failure: `code - detail`. */
export const failureText = (failure: Failure) => `${failure.code} - ${failure.detail}`

/** A call without an answer: no network, no route, connection cut. */
export const lostContact = (detail: string, code: ErrorKind = 'unknown'): Failure => ({code, detail, lost: true})

/** A part of a failed answer as text. Absent when it is empty, or is neither text nor a number. */
export const textOf = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/**
 * Reads the body of a failed answer in every known form: `{error: {code, message, field}, trace_id}`, `{error:
 * 'text'}`, `{code, detail}`, `{code, message}`. Missing parts come from the status and the defaults.
 */
export function failureOfBody(body: unknown, status?: number): Failure {
  const outer = isRecord(body) ? body : {}
  const inner = isRecord(outer.error) ? outer.error : outer
  const fallback = status === undefined ? defaultCode : codeOfStatus(status)
  const traceId = textOf(outer.trace_id)
  const field = textOf(inner.field) ?? textOf(outer.field)
  const neededAmount = textOf(inner.needed)
  const available = textOf(inner.available)
  return {
    // proxies send 413 with bodies of their own
    code: status === 413 ? fallback : (textOf(inner.code) ?? fallback),
    detail: textOf(inner.message) ?? textOf(inner.detail) ?? textOf(outer.error) ?? defaultDetail,
    ...(status === undefined ? {} : {status}),
    ...(traceId === undefined ? {} : {traceId}),
    ...(field === undefined ? {} : {field}),
    ...(neededAmount && available ? {needed: neededAmount, available} : {}),
  }
}

const networkWords = /fetch|network|load failed|terminated|connection|socket/i

function failureOfError(error: Pick<Error, 'name' | 'message'>): Failure {
  if (error.name === 'AbortError') return {code: 'canceled', detail: error.message}
  if (error.name === 'TimeoutError') return lostContact(error.message, 'timeout')
  if (error instanceof TypeError && networkWords.test(error.message)) return lostContact(error.message)
  return {code: 'unknown', detail: error.message || defaultDetail}
}

/** Any rejected value as a `Failure`. Never throws, never empty. */
export function toFailure(reason: unknown): Failure {
  if (typeof reason === 'string') return {code: 'unknown', detail: reason || defaultDetail}
  if (!isRecord(reason)) return {code: 'unknown', detail: defaultDetail}
  const status = typeof reason.status === 'number' ? reason.status : undefined
  if (typeof reason.code === 'string' && typeof reason.detail === 'string') {
    return {
      ...failureOfBody(reason, status),
      // that of an error repeats the code
      detail: reason.detail || defaultDetail,
      ...(typeof reason.traceId === 'string' ? {traceId: reason.traceId} : {}),
      ...(reason.lost === true ? {lost: true} : {}),
      ...(typeof reason.retryAfterSeconds === 'number' ? {retryAfterSeconds: reason.retryAfterSeconds} : {}),
    }
  }
  if (reason instanceof Error) return failureOfError(reason)
  // a DOMException of another realm is no instance of Error but has its shape
  if (typeof reason.name === 'string' && typeof reason.message === 'string')
    return failureOfError({name: reason.name, message: reason.message})
  if ('data' in reason) return failureOfBody(reason.data, status)
  if ('error' in reason || 'code' in reason || status !== undefined) return failureOfBody(reason, status)
  return {code: 'unknown', detail: defaultDetail}
}
