import type {Log} from '../log.ts'
import {HttpFailure, ServerEnds, type FailureId} from './failure.ts'
import {inEnglish, languageOf, loadLanguage} from './language.ts'
import type {ServiceName} from './route.ts'

/** The first code in the chain of causes: libraries wrap the database's error in their own. */
function errorCode(error: unknown): string | undefined {
  for (const current of causes(error)) {
    if (!('code' in current) || typeof current.code !== 'string') continue
    // A missing file is a fault of ours; a missing or closed socket is the database that restarts.
    const isSocket = 'syscall' in current && current.syscall === 'connect'
    return isSocket && ['ENOENT', 'EACCES', 'EPERM'].includes(current.code) ? 'ECONNREFUSED' : current.code
  }
  return undefined
}

function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let current = error; current instanceof Error && chain.length < 6; current = current.cause) chain.push(current)
  return chain
}

/** The stack without the message it begins with: that may have lines of its own which look like frames. */
function framesOf(error: Error | undefined): string {
  const {stack = '', message = ''} = error ?? {}
  const start = stack.indexOf(message)
  return start < 0 ? stack : stack.slice(start + message.length)
}

/**
 * An error for the log: names, the innermost message and the frames. Not the messages around it, because the query
 * builder puts the values of a failed statement into its own (security R26).
 */
export function describeError(error: unknown): Record<string, unknown> {
  const chain = causes(error)
  const innermost = chain.at(-1)
  if (innermost === undefined) return {error: typeof error}
  return {
    error: chain.map((current) => current.constructor.name).join(' < '),
    code: errorCode(error),
    reason: innermost.message.startsWith('Failed query') ? undefined : innermost.message,
    frames: framesOf(chain[0])
      .split('\n')
      .filter((line) => /^ {4}at /.test(line))
      .slice(0, 12)
      .map((line) => line.trim()),
  }
}

/** Messages of the client of PostgreSQL that have no code. */
const awayPattern =
  /^(?:timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error)/

const busy = (status: 503 | 507, id: FailureId, cause: unknown) =>
  new HttpFailure(status, 'busy', id, {retryAfterSeconds: status === 507 ? 30 : 1, cause})

/**
 * Any thrown thing as a refusal. What the database and the disk say becomes what a caller can act on (security R65);
 * all else is an `api_error` without detail, since its text is not for strangers.
 */
export function toHttpFailure(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error
  switch (errorCode(error)) {
    case 'ENOSPC':
    case '53100': // disk_full
    case '25006': // read_only_sql_transaction: the disk guard
      return busy(507, 'diskFull', error)
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return busy(507, 'diskReadOnly', error)
    case '53300': // too_many_connections
    case '57P01': // admin_shutdown
    case '57P02': // crash_shutdown
    case '57P03': // cannot_connect_now
    case '25P03': // a node that stood still within a transaction: it was undone
    case '57P05': // idle_session_timeout
    case '08006':
    case '40001': // serialization_failure
    case '40P01': // deadlock_detected
    case '08P01': // how a pooler says that the server behind it is away
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return busy(503, 'databaseAway', error)
    case '57014': // statement timeout
      return new HttpFailure(504, 'timeout', 'databaseSlow', {cause: error})
    case '22P02': // invalid_text_representation
    case '22021': // character_not_in_repertoire
    case '22P05':
      return new HttpFailure(400, 'bad_request', 'wrongValue', {cause: error})
    default:
      if (causes(error).some(({message}) => awayPattern.test(message))) return busy(503, 'databaseAway', error)
      return new HttpFailure(500, 'api_error', 'internal', {cause: error})
  }
}

/** The database is unavailable; a later try may work. */
export const isDatabaseAway = (error: unknown): boolean => toHttpFailure(error).words === 'databaseAway'

/** The data may be the cause: the database is neither busy nor slow. */
export const mayBeOfData = (error: unknown): boolean => !['busy', 'timeout'].includes(toHttpFailure(error).code)

type FailedRequest = {request: Request; service: ServiceName | undefined; traceId: string}

/** Writes a refusal in the service's form (the AI host's: `contract/errors` §1) and the request's language. */
export async function failureResponse(
  failure: HttpFailure,
  {request, service, traceId}: FailedRequest,
): Promise<Response> {
  const {code, words, options} = failure
  // a language that cannot be loaded is no reason to say nothing
  const intl = await loadLanguage(languageOf(request)).catch(() => inEnglish)
  const detail = failure.detailIn(intl)
  const location = {
    ...(options.field === undefined ? {} : {field: options.field}),
    ...(options.applicationId === undefined ? {} : {application_id: options.applicationId}),
    ...options.credits,
  }
  const body =
    service === 'api'
      ? {error: {code, message: detail, ...location}, trace_id: traceId, success: false}
      : {code, detail, ...location}
  const headers = new Headers({'content-type': 'application/json', ...options.headers})
  if (typeof words === 'string') headers.set('content-language', intl.locale)
  if (options.retryAfterSeconds !== undefined) headers.set('retry-after', String(options.retryAfterSeconds))
  if (failure.status === 401) headers.set('www-authenticate', 'Bearer')
  return new Response(JSON.stringify(body), {status: failure.status, headers})
}

/** A process that was asked to end, or a client that did not wait, is no fault of the server's. */
const isOfEnd = ({words, options}: HttpFailure) => words === 'serverEnds' || options.cause instanceof ServerEnds

/** Server faults are logged with their cause; refusals are the caller's. Paths only: queries carry codes and names. */
export function logFailure(log: Log, failure: HttpFailure, request: Request, traceId: string): void {
  if (failure.status < 500 || isOfEnd(failure)) return
  log.error('request failed', {
    traceId,
    method: request.method,
    path: new URL(request.url).pathname,
    status: failure.status,
    ...describeError(failure.options.cause ?? failure),
  })
}
