import {lookup as resolveName, type LookupAddress} from 'node:dns'
import http, {type IncomingMessage} from 'node:http'
import https from 'node:https'
import {isIP, type LookupFunction} from 'node:net'
import {ProviderFailure} from './provider.ts'
import {isPublicAddress} from './public-address.ts'
import {retryAfterSeconds} from './retry-after.ts'
import {realTimers, type Timers} from './timers.ts'

/*
 * The only module of the server that opens connections to other machines (security R27): below base addresses of the
 * operator's configuration, to callbacks at origins of that configuration, and to public https addresses at which a
 * provider says it left what it made. Never to an address a user or a model wrote. The library of Stripe alone opens
 * connections of its own, to the address of the configuration.
 */

/** A configured server. `name` is what people see in error messages. */
export type Upstream = {name: string; baseUrl: string; apiKey: string | undefined}

/** Every wait on the network ends (security R54). The first byte may take long: local servers load a model first. */
export type Deadlines = {firstByteMilliseconds: number; idleMilliseconds: number}
export const answerDeadlines: Deadlines = {firstByteMilliseconds: 290_000, idleMilliseconds: 120_000}

export type OutboundPorts = {fetch: typeof fetch; timers: Timers}
export const realOutboundPorts: OutboundPorts = {fetch: (...input) => fetch(...input), timers: realTimers}

export type OutboundRequest = {
  upstream: Upstream
  /** Below the base address, with a leading slash. A query of the base address (Azure's `api-version`) is kept. */
  path: string
  method: 'GET' | 'POST'
  /** Sent as JSON, or as it is when it is a form with files. */
  body?: unknown
  headers?: Record<string, string>
  signal: AbortSignal
  deadlines: Deadlines
}

export type OutboundResponse = {
  status: number
  headers: Headers
  /** The body as text, cut anywhere but inside a character. Throws `ProviderFailure` when contact is lost. */
  text: AsyncIterable<string>
  /** The same body as bytes: one of the two is read. */
  bytes: AsyncIterable<Uint8Array>
}

const longestError = 64 * 1024

export const endpoint = (baseUrl: string, path: string): string => {
  const url = new URL(baseUrl)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url.href
}

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`

function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return causeCode(error.cause)
}

/**
 * Sends one request and hands the answer out as it arrives. Redirects are refused: a key belongs to one server.
 *
 * @throws ProviderFailure `canceled` when `signal` was aborted, `timeout` after silence, `api_error` when the server
 * cannot be reached; with `interrupted` once the answer had begun.
 */
export async function callUpstream(request: OutboundRequest, ports: OutboundPorts): Promise<OutboundResponse> {
  const {upstream, signal, deadlines} = request
  const form = request.body instanceof FormData ? request.body : undefined
  const silence = new AbortController()
  let begun = false
  const endSilence = () => silence.abort()
  const stopWatch = ports.timers.after(deadlines.firstByteMilliseconds, endSilence)
  const failure = (error: unknown): ProviderFailure => {
    if (error instanceof ProviderFailure) return error
    if (signal.aborted) return new ProviderFailure('canceled', 'The answer was stopped.', {cause: error})
    if (silence.signal.aborted) {
      const waited = seconds(begun ? deadlines.idleMilliseconds : deadlines.firstByteMilliseconds)
      return new ProviderFailure('timeout', `${upstream.name} was silent for ${waited}.`, {
        interrupted: begun,
        cause: error,
      })
    }
    const code = causeCode(error)
    return begun
      ? new ProviderFailure('api_error', `The connection to ${upstream.name} broke off.`, {
          interrupted: true,
          cause: error,
        })
      : new ProviderFailure('api_error', `${upstream.name} cannot be reached${code ? ` (${code})` : ''}.`, {
          cause: error,
        })
  }

  let response: Response
  try {
    response = await ports.fetch(endpoint(upstream.baseUrl, request.path), {
      method: request.method,
      headers: {
        // The boundary of a form is known to `fetch` alone.
        ...(request.body === undefined || form !== undefined ? {} : {'content-type': 'application/json'}),
        ...authorization(upstream),
        ...request.headers,
      },
      body: form ?? (request.body === undefined ? undefined : JSON.stringify(request.body)),
      redirect: 'error',
      signal: AbortSignal.any([signal, silence.signal]),
    })
  } catch (error) {
    stopWatch()
    throw failure(error)
  }

  /** `take` gets each piece, and nothing at the end; the empty ones of what it makes are left out. */
  async function* readBody<Piece extends {length: number}>(
    take: (piece?: Uint8Array) => Piece | undefined,
  ): AsyncGenerator<Piece> {
    const body: ReadableStream<Uint8Array> | null = response.body
    const reader = body?.getReader()
    if (reader === undefined) return stopWatch()
    // Node's fetch forgets its signal when memory is collected while a body is read: the body is ended by hand
    const signals = [signal, silence.signal]
    const leave = () => void reader.cancel().catch(() => undefined) // a body that failed has nothing left to end
    let isLeft = signals.some(({aborted}) => aborted)
    const onAbort = () => {
      isLeft = true
      leave()
    }
    for (const each of signals) each.addEventListener('abort', onAbort)
    stopWatch()
    const watch = ports.timers.silence(deadlines.idleMilliseconds, endSilence)
    try {
      for (;;) {
        const {done, value} = await reader.read()
        if (isLeft) for (const each of signals) each.throwIfAborted()
        if (!done) {
          begun = true
          watch.heard()
        }
        const piece = take(value)
        if (piece !== undefined && piece.length > 0) yield piece
        if (done) return
      }
    } catch (error) {
      throw failure(error)
    } finally {
      watch.stop()
      for (const each of signals) each.removeEventListener('abort', onAbort)
      leave()
    }
  }
  const decoder = new TextDecoder()
  return {
    status: response.status,
    headers: response.headers,
    bytes: readBody((piece) => piece),
    text: readBody((piece) => decoder.decode(piece, {stream: piece !== undefined})),
  }
}

/** The whole body of a short answer (errors, lists of models), bounded. */
export async function readAll(text: AsyncIterable<string>, longest = longestError): Promise<string> {
  let whole = ''
  for await (const piece of text) {
    whole += piece
    if (whole.length > longest) return whole.slice(0, longest)
  }
  return whole
}

/** Azure reads `api-key`, everybody else a bearer token; local servers get none. */
function authorization({baseUrl, apiKey}: Upstream): Record<string, string> {
  if (apiKey === undefined) return {}
  const bearer = {authorization: `Bearer ${apiKey}`}
  return new URL(baseUrl).hostname.endsWith('.openai.azure.com') ? {...bearer, 'api-key': apiKey} : bearer
}

const mostRedirects = 3
const downloadIdleMilliseconds = 30_000

export type Download = {type: string | undefined; bytes: AsyncIterable<Uint8Array>}

export type DownloadRequest = {
  /** Named in failures. */
  upstream: string
  address: string
  /** The operator's own server: fetched wherever it stands and also without TLS. */
  ownOrigin?: string | undefined
  signal: AbortSignal
  /** All addresses of a name; tests bring their own. */
  resolve?: (name: string) => Promise<readonly LookupAddress[]>
}

const resolveAll = (name: string): Promise<readonly LookupAddress[]> =>
  new Promise((resolve, reject) =>
    resolveName(name, {all: true, verbatim: true}, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  )

/**
 * Fetches what a provider made from where it says it is (security R27): https to a public address only, the connection
 * goes to the very address that was checked, each redirect is checked again, and nothing of ours (no key, no cookie) goes
 * along. The caller bounds the size. Throws `ProviderFailure`.
 */
export async function download(request: DownloadRequest): Promise<Download> {
  let address = request.address
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const response = await openDownload(request, address)
    const status = response.statusCode ?? 0
    const {location} = response.headers
    if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, address)) {
      response.destroy()
      address = new URL(location, address).href
      continue
    }
    if (status === 200) return {type: response.headers['content-type'], bytes: readDownload(request, response)}
    response.destroy()
    throw new ProviderFailure('api_error', `${request.upstream} does not hand out what it made (${status}).`, {
      status,
      retryAfterSeconds: retryAfterSeconds(response.headers['retry-after']),
    })
  }
  throw new ProviderFailure('api_error', `${request.upstream} sends what it made from address to address.`)
}

async function openDownload(request: DownloadRequest, address: string): Promise<IncomingMessage> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isOwn = url !== undefined && url.origin === request.ownOrigin
  if (url === undefined || !(url.protocol === 'https:' || (isOwn && url.protocol === 'http:'))) throw refused(request)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!isOwn && isIP(host) !== 0 && !isPublicAddress(host)) throw refused(request)
  const send = url.protocol === 'https:' ? https.request : http.request
  return new Promise((resolve, reject) => {
    const outgoing = send(url, {
      signal: request.signal,
      agent: false,
      headers: {accept: '*/*', 'accept-encoding': 'identity'},
      ...(isOwn ? {} : {lookup: checkedLookup(request)}),
    })
    outgoing.setTimeout(downloadIdleMilliseconds, () => outgoing.destroy(silent(request)))
    outgoing.on('response', resolve)
    outgoing.on('error', (error) => reject(lost(request, error)))
    outgoing.end()
  })
}

/** One address that is not public spoils the name: it would be tried next. */
function checkedLookup(request: DownloadRequest): LookupFunction {
  const {resolve = resolveAll} = request
  return (name, options, callback) => {
    resolve(name)
      .then((addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(({address}) => isPublicAddress(address))) throw refused(request)
        if (options.all) callback(null, [first])
        else callback(null, first.address, first.family)
      })
      .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []))
  }
}

async function* readDownload(request: DownloadRequest, response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    // A stream without an encoding yields buffers; its type says `any`.
    for await (const piece of response) yield piece as Buffer
    if (!response.complete) throw lost(request)
  } catch (error) {
    throw lost(request, error)
  } finally {
    response.destroy()
  }
}

const refused = ({upstream}: DownloadRequest) =>
  new ProviderFailure('api_error', `${upstream} left what it made at an address that is not fetched from here.`)
const silent = ({upstream}: DownloadRequest) =>
  new ProviderFailure('timeout', `${upstream} was silent for ${seconds(downloadIdleMilliseconds)}.`, {
    interrupted: true,
  })

function lost(request: DownloadRequest, cause?: unknown): ProviderFailure {
  if (cause instanceof ProviderFailure) return cause
  if (request.signal.aborted) return new ProviderFailure('canceled', 'The task was stopped.', {cause})
  const code = causeCode(cause)
  return new ProviderFailure(
    'api_error',
    `What ${request.upstream} made cannot be fetched${code ? ` (${code})` : ''}.`,
    {interrupted: true, cause},
  )
}

/** Posts `body` once to an address whose origin the operator has listed. Follows nothing. Resolves with the status. */
export async function postCallback(
  {address, body, signal}: {address: string; body: unknown; signal: AbortSignal},
  ports: OutboundPorts,
): Promise<number> {
  const response = await ports.fetch(address, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(body),
    redirect: 'error',
    signal,
  })
  await response.body?.cancel()
  return response.status
}
