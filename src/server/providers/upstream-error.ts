import {isList} from '#contract/is-list.ts'
import {cutText} from '#domain/cut-text.ts'
import type {ErrorCode} from '#domain/error-kinds.ts'
import {isRecord} from '#contract/is-record.ts'
import {parseJson} from '#domain/parse-json.ts'
import {ProviderFailure} from './provider.ts'
import {retryAfterSeconds} from './retry-after.ts'
import type {OutboundResponse, Upstream} from './call-upstream.ts'

const longestMessage = 500

/**
 * The failure for a server's refusal. Message search: error.message, message, detail[].msg, detail, the body's text
 * (500 characters, never a page). Keys are cut out, and a failure of the operator's key has our own message (security
 * R26).
 */
export function upstreamFailure(
  upstream: Upstream,
  answer: {body: unknown; status?: number; retryAfter?: string | null},
): ProviderFailure {
  const message = clean(upstream, findMessage(answer.body))
  const codes = findCodes(answer.body)
  const status = answer.status ?? codes.find((code): code is number => typeof code === 'number')
  const words = codes.filter((code): code is string => typeof code === 'string').join(' ')
  const code = kindOf(status, words, message)
  return new ProviderFailure(code, tell(upstream, status, words, message), {
    status,
    retryAfterSeconds: retryAfterSeconds(answer.retryAfter),
  })
}

/** The failure for an answer that refuses, with the text of its body. */
export const answerFailure = (
  upstream: Upstream,
  {status, headers}: Pick<OutboundResponse, 'status' | 'headers'>,
  text: string,
): ProviderFailure =>
  upstreamFailure(upstream, {body: readErrorBody(text), status, retryAfter: headers.get('retry-after')})

/** Parses the body of a refused request: JSON when it is JSON, else its text, else nothing for a page. */
export function readErrorBody(text: string): unknown {
  const trimmedText = text.trim()
  if (trimmedText.startsWith('<')) return undefined
  return parseJson(trimmedText) ?? (trimmedText === '' ? undefined : trimmedText)
}

function findMessage(body: unknown): string | undefined {
  if (typeof body === 'string') return body.trim() === '' ? undefined : body.trim()
  if (Array.isArray(body)) return findMessage(body[0])
  if (!isRecord(body)) return undefined
  const inner = isRecord(body.error) || typeof body.error === 'string' ? findMessage(body.error) : undefined
  if (inner !== undefined) return inner
  if (typeof body.message === 'string' && body.message !== '') return body.message
  if (isList(body.detail)) {
    const texts = body.detail.map((item) => (isRecord(item) ? item.msg : item))
    const definedTexts = texts.filter((text): text is string => typeof text === 'string')
    if (definedTexts.length > 0) return definedTexts.join('; ')
  }
  return typeof body.detail === 'string' && body.detail !== '' ? body.detail : undefined
}

/** Codes stand in `code`, `type` and `status`, as text or as numbers, also nested in `error`. */
function findCodes(body: unknown): (string | number)[] {
  if (Array.isArray(body)) return findCodes(body[0])
  if (!isRecord(body)) return []
  const own = [body.code, body.status, body.type]
    .filter((code): code is string | number => typeof code === 'string' || typeof code === 'number')
    .map((code) => (typeof code === 'string' && /^[45]\d\d$/.test(code) ? Number(code) : code))
  return [...findCodes(body.error), ...own]
}

function kindOf(status: number | undefined, words: string, message = ''): ErrorCode {
  if (/context_length|content_too_large|request_entity_too_large/.test(words) || status === 413)
    return 'content_too_large'
  if (/maximum context length|exceeds? (?:the )?(?:available )?context/i.test(message)) return 'content_too_large'
  if (isOutOfCredit(status, words)) return 'payment_required'
  if (/rate_limit|too_many_requests/.test(words) || status === 429) return 'too_many_requests'
  if (/overloaded|unavailable|busy/.test(words) || status === 503 || status === 529) return 'busy'
  if (/timeout/.test(words) || status === 408 || status === 504) return 'timeout'
  if (/content_filter|content_policy|moderation/.test(words)) return 'forbidden'
  if (isKeyTrouble(status, words)) return 'api_error'
  if (status === 403) return 'forbidden'
  if (status !== undefined && status >= 400 && status < 500) return 'bad_request'
  if (/invalid_request|bad_request|not_found/.test(words)) return 'bad_request'
  return 'api_error'
}

const isKeyTrouble = (status: number | undefined, words: string) =>
  status === 401 || /invalid_api_key|invalid_token|token_mismatched|token_expired|no_token|authentication/.test(words)

const isOutOfCredit = (status: number | undefined, words: string) =>
  status === 402 || /insufficient_quota|billing|used_up/.test(words)

function tell(upstream: Upstream, status: number | undefined, words: string, message: string | undefined): string {
  if (isKeyTrouble(status, words)) return `${upstream.name} does not accept the key of this installation.`
  if (isOutOfCredit(status, words)) return `The account of this installation at ${upstream.name} has no credit left.`
  return message ?? `${upstream.name} answered with an error${status === undefined ? '' : ` (${status})`}.`
}

function clean({apiKey}: Upstream, message: string | undefined): string | undefined {
  if (message === undefined || /^\s*<(?:!doctype|html|head|body)/i.test(message)) return undefined
  const harmless = apiKey ? message.replaceAll(apiKey, '[key]') : message
  return cutText(harmless, longestMessage)
}
