import axios, {type Options, type Response as AxiosResponse} from 'redaxios'
import {z} from '#contract/schema.ts'
import {backoff, backoffDelay, mayRetry} from '#domain/backoff.ts'
import {retryAfterSeconds} from '#domain/retry-after.ts'
import {ApiError, errorOfFetch, failureOfResponse} from './api-error.ts'
import {createDeadline, sleep as wait} from './deadline.ts'
import {readLeniently} from './lenient-answer.ts'
import type {Log} from '#domain/log.ts'

/** Dependencies of every service client. */
export type ApiDeps = {
  fetch: typeof fetch
  /** Without a trailing slash. */
  baseUrl: string
  /** Called for every call, since tokens and language change. */
  headers: () => Record<string, string>
  log: Log
  /** Whether there is a network, as far as the browser knows. */
  isOnline?: () => boolean
  /** In [0, 1): jitter of retries. */
  random?: () => number
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** Arrays repeat their key; undefined values are omitted (contract/platform §1). */
export type Query = Record<string, string | number | readonly string[] | undefined>

export const queryText = (query: Query) => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    // as: Array.isArray does not narrow a list that is read only
    for (const item of Array.isArray(value) ? (value as readonly string[]) : [String(value)]) params.append(name, item)
  }
  return params.toString()
}

export type Call<T> = {
  method: 'get' | 'post' | 'put' | 'delete'
  path: string
  query?: Query
  body?: object
  headers?: Record<string, string>
  /** Schema of a good answer. */
  answer: z.core.$ZodType<T>
  /**
   * Drops unreadable parts of a good answer instead of the answer. Never set it if the answer is written back whole.
   */
  isLenient?: boolean
  /** A read may be retried (security R52). Default: true for GET. */
  isRead?: boolean
  /** The device keeps an answer of before: without a network this read fails at once, and is not retried. */
  isKept?: boolean
  /**
   * Sent even while the page closes; only for small final calls. A page that goes loses their answers before it hears
   * that it goes: such a failure is told in a later task.
   */
  keepsAlive?: boolean
  signal?: AbortSignal
}

const timeout = 20_000

type Transport = Pick<ApiDeps, 'fetch' | 'baseUrl'> & Required<Pick<ApiDeps, 'sleep'>>

/** redaxios has no signal and no network error; both come from the injected fetch. */
const send = async <T>({fetch, baseUrl, sleep}: Transport, call: Call<T>, headers: Record<string, string>) => {
  const deadline = createDeadline(timeout, call.signal)
  const options: Options = {
    headers: {accept: 'application/json', 'content-type': 'application/json', ...headers, ...call.headers},
    fetch: (url, init) =>
      fetch(url, {...init, signal: deadline.signal, keepalive: call.keepsAlive === true}).catch(
        async (reason: unknown) => {
          if (call.keepsAlive) await sleep(0)
          throw errorOfFetch(reason)
        },
      ),
  }
  const query = queryText(call.query ?? {})
  const url = `${baseUrl}${call.path}${query === '' ? '' : `?${query}`}`
  try {
    if (call.method === 'get' || call.method === 'delete') return await axios[call.method]<unknown>(url, options)
    return await axios[call.method]<unknown>(url, call.body, options)
  } finally {
    deadline.release()
  }
}

/** redaxios rejects with a plain response on an error status. */
const isResponse = (reason: unknown): reason is AxiosResponse<unknown> =>
  typeof reason === 'object' && reason !== null && 'status' in reason && 'headers' in reason

const retryAfter = (reason: unknown) => {
  const seconds = isResponse(reason) ? Number(reason.headers.get('retry-after') ?? Number.NaN) : Number.NaN
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

const isTransient = ({lost, status, code}: ApiError) =>
  code !== 'canceled' && (lost === true || status === 429 || (status !== undefined && status >= 500))

/** When a refused request may be made again, as far as its response says so. */
export const restOf = ({status, headers}: {status: number; headers: Pick<Headers, 'get'>}) => {
  const seconds = [429, 503].includes(status) ? retryAfterSeconds(headers.get('retry-after'), Date.now()) : undefined
  return seconds === undefined ? {} : {retryAfterSeconds: seconds}
}

const toApiError = (reason: unknown) =>
  isResponse(reason)
    ? new ApiError({...failureOfResponse(reason.data, reason.status), ...restOf(reason)}, {cause: reason.status})
    : errorOfFetch(reason)

const readAnswer = <T>({answer, isLenient, path}: Call<T>, {data, status}: AxiosResponse<unknown>, log: Log): T => {
  const parsing = z.safeParse(answer, data)
  if (parsing.success) return parsing.data
  const reading = isLenient === true ? readLeniently(answer, data) : undefined
  if (reading === undefined) {
    throw new ApiError({code: 'unknown', detail: 'The server sent an answer this app does not understand.', status})
  }
  log('Parts of an answer are left out', {path, count: reading.left.length, left: reading.left.slice(0, 20)})
  return reading.data
}

export type Requester = <T>(call: Call<T>) => Promise<T>

/**
 * JSON calls to one service. Rejects with an {@link ApiError} and nothing else. Reads without an answer, with 429 or
 * 5xx are retried by the one retry policy (`#domain/backoff.ts`), some only with a network; writes never.
 */
export const createRequester = (deps: ApiDeps): Requester => {
  const {log, random = Math.random, sleep = wait, isOnline} = deps
  return async (call) => {
    const isRead = call.isRead ?? call.method === 'get'
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await send({...deps, sleep}, call, deps.headers())
        return readAnswer(call, response, log)
      } catch (reason) {
        const error = toApiError(reason)
        const delay = retryAfter(reason) ?? backoffDelay(attempt - 1, random())
        if (
          !isRead ||
          !isTransient(error) ||
          !mayRetry(attempt, 'read') ||
          delay > backoff.cap ||
          (call.isKept && isOnline?.() === false)
        )
          throw error
        log('A read is asked again', {path: call.path, code: error.code, status: error.status, attempt, delay})
        await sleep(delay, call.signal).catch((abortReason: unknown) => {
          throw errorOfFetch(abortReason)
        })
      }
    }
  }
}
