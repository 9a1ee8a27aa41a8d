import type {IntlShape} from '@formatjs/intl'
import type messages from '../../../locales/en/failure.json'
import {inEnglish} from './language.ts'

/** The key of a message of `failure`; anything else does not compile. */
export type FailureId = keyof typeof messages
type Values = Record<string, string | number>
/** The id of a message of ours, or another server's text, which is not translated. */
export type FailureWords = FailureId | {text: string}

type FailureOptions = {
  field?: string | undefined
  /** The application whose credits are used up, so that a client can lead to its packages. */
  applicationId?: string | undefined
  /** Exact decimals: what a request would hold, and the balance that does not cover it. */
  credits?: {needed: string; available: string} | undefined
  /** The values that the message names; `field` is among them. */
  values?: Values | undefined
  retryAfterSeconds?: number | undefined
  headers?: Record<string, string>
  cause?: unknown
}

type Status = 400 | 401 | 402 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 422 | 429 | 500 | 502 | 503 | 504 | 507

/** A message in a language. */
export const say = (intl: IntlShape, id: FailureId, values?: Values): string =>
  intl.formatMessage({id: `failure.${id}`}, values)

/** Why a request ends whose client is still there: this process ends, and another one serves. */
export class ServerEnds extends Error {}

/**
 * A refusal that a handler throws and the one error boundary writes to the wire: `{code, detail, field?}` on management
 * and auth, `{error: {code, message, field?}, trace_id}` on the AI host (`contract/errors`). The detail is for people,
 * in the language of the request, and never carries a secret; the log and what is stored have it in English.
 */
export class HttpFailure extends Error {
  constructor(
    readonly status: Status,
    readonly code: string,
    readonly words: FailureWords,
    readonly options: FailureOptions = {},
  ) {
    super(`${code} - ${sayWords(inEnglish, words, options)}`, {cause: options.cause})
  }

  detailIn(intl: IntlShape): string {
    return sayWords(intl, this.words, this.options)
  }

  /** In English. */
  get detail(): string {
    return this.detailIn(inEnglish)
  }
}

const sayWords = (intl: IntlShape, words: FailureWords, {field, values}: FailureOptions): string =>
  typeof words === 'object' ? words.text : say(intl, words, field === undefined ? values : {field, ...values})

export const badRequest = (id: FailureId, field?: string, values?: Values) =>
  new HttpFailure(400, 'bad_request', id, {field, values})
/** Foreign and missing objects are the same to a caller (security R19). `field` names which of several is meant. */
export const notFound = (field?: string) => new HttpFailure(404, 'not_found', 'notFound', {field})
export const unauthorized = () => new HttpFailure(401, 'invalid_token', 'signInAgain')
export const forbidden = (id: FailureId) => new HttpFailure(403, 'forbidden', id)
