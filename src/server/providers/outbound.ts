import {ProviderFailure} from './provider.ts'
import {realTimers, type Timers} from './timers.ts'

/*
 * The only module of the server that opens connections to other machines (security R27), and only below base addresses
 * of the operator's configuration: never to an address a person or a model wrote.
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
  const silence = new AbortController()
  let begun = false
  let stopWatch = ports.timers.after(deadlines.firstByteMilliseconds, () => silence.abort())
  const heard = () => {
    stopWatch()
    stopWatch = ports.timers.after(deadlines.idleMilliseconds, () => silence.abort())
  }
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
        ...(request.body === undefined ? {} : {'content-type': 'application/json'}),
        ...authorization(upstream),
        ...request.headers,
      },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      redirect: 'error',
      signal: AbortSignal.any([signal, silence.signal]),
    })
  } catch (error) {
    stopWatch()
    throw failure(error)
  }

  async function* text(): AsyncGenerator<string> {
    const decoder = new TextDecoder()
    const body: AsyncIterable<Uint8Array> | null = response.body
    try {
      if (body === null) return
      heard()
      for await (const bytes of body) {
        begun = true
        heard()
        const piece = decoder.decode(bytes, {stream: true})
        if (piece !== '') yield piece
      }
      const rest = decoder.decode()
      if (rest !== '') yield rest
    } catch (error) {
      throw failure(error)
    } finally {
      stopWatch()
    }
  }
  return {status: response.status, headers: response.headers, text: text()}
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
