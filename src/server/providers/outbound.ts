import {lookup as resolveName, type LookupAddress} from 'node:dns'
import http, {type ClientRequest, type IncomingMessage} from 'node:http'
import https from 'node:https'
import {isIP, type LookupFunction} from 'node:net'
import type {Readable} from 'node:stream'
import {decoded} from './content-encoding.ts'
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

export type Sending = {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | FormData | undefined
  /** Ends the request, and later the body. */
  signal: AbortSignal
}
export type RawResponse = {status: number; headers: Headers; body: Readable}

export type OutboundPorts = {
  send: (address: string, request: Sending, timers: Timers) => Promise<RawResponse>
  timers: Timers
}
export const realOutboundPorts: OutboundPorts = {send, timers: realTimers}

/** Shorter than servers keep a connection that is not used: a question must not meet one that is about to close. */
const keptMilliseconds = 4_000
/** For TCP and TLS: a server that does not answer that is not loading a model. */
const connectMilliseconds = 10_000
const agents = {
  http: new http.Agent({keepAlive: true, timeout: keptMilliseconds}),
  https: new https.Agent({keepAlive: true, timeout: keptMilliseconds}),
}

/**
 * Resolves when the answer begins. Follows no redirect. By Node's own client: with the web streams of `fetch` a word
 * costs twice as much to read (docs/decisions/0105).
 */
async function send(address: string, {method, headers, body, signal}: Sending, timers: Timers): Promise<RawResponse> {
  const url = new URL(address)
  const form = body instanceof FormData ? new Response(body) : undefined
  const bytes = form === undefined ? body : Buffer.from(await form.arrayBuffer())
  const isSecure = url.protocol === 'https:'
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = (isSecure ? https : http).request(url, {
      method,
      signal,
      agent: isSecure ? agents.https : agents.http,
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip, br',
        // as `fetch` named itself: some servers refuse a client without a name
        'user-agent': 'node',
        // The boundary of a form
        ...(form && {'content-type': form.headers.get('content-type') ?? ''}),
        ...headers,
      },
    })
    endUnconnected(outgoing, isSecure ? 'secureConnect' : 'connect', timers)
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    body: decoded(response, response.headers['content-encoding'] ?? ''),
  }
}

function endUnconnected(outgoing: ClientRequest, connectEvent: 'connect' | 'secureConnect', timers: Timers): void {
  const stop = timers.after(connectMilliseconds, () =>
    outgoing.destroy(Object.assign(new Error('There is no connection yet.'), {code: 'ETIMEDOUT'})),
  )
  outgoing.once('socket', (socket) => {
    if (outgoing.reusedSocket) stop()
    else socket.once(connectEvent, stop)
  })
  outgoing.once('close', stop)
}

export const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`

export function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return causeCode(error.cause)
}

const mostRedirects = 3
const downloadIdleMilliseconds = 30_000

export type OutboundDownload = {type: string | undefined; bytes: AsyncIterable<Uint8Array>}

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
 * goes to the very address that was checked, each redirect is checked again, and nothing of ours (no key, no cookie)
 * goes along. The caller bounds the size. Throws `ProviderFailure`.
 */
export async function download(request: DownloadRequest): Promise<OutboundDownload> {
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

/** Posts `body` once to an address whose origin the operator has listed. Resolves with the status. */
export async function postCallback(
  {address, body, signal}: {address: string; body: unknown; signal: AbortSignal},
  ports: OutboundPorts,
): Promise<number> {
  const upstreamResponse = await ports.send(
    address,
    {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body), signal},
    ports.timers,
  )
  upstreamResponse.body.destroy()
  return upstreamResponse.status
}
