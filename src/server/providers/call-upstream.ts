import {addAbortSignal, finished, type Readable} from 'node:stream'
import {causeCode, seconds, type OutboundPorts, type Received, type Sending} from './outbound.ts'
import {ProviderFailure} from './provider.ts'
import type {Silence} from './timers.ts'

/** A configured server. `name` is what people see in error messages. */
export type Upstream = {name: string; baseUrl: string; apiKey: string | undefined}

/** Every wait on the network ends (security R54). The first byte may take long: local servers load a model first. */
export type Deadlines = {firstByteMilliseconds: number; idleMilliseconds: number}
export const answerDeadlines: Deadlines = {firstByteMilliseconds: 290_000, idleMilliseconds: 120_000}

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
  /**
   * Hands each piece of the text to `take` in the moment it comes, until that says false. Resolves then, or at the end.
   * Throws `ProviderFailure` when contact is lost, and what `take` throws as it is.
   */
  read: (take: (piece: string) => boolean) => Promise<void>
  /** The body as text, cut anywhere but inside a character. Throws `ProviderFailure` when contact is lost. */
  text: AsyncIterable<string>
  /** The same body as bytes: one of the three is read. */
  bytes: AsyncIterable<Uint8Array>
}

const longestError = 64 * 1024

export const endpoint = (baseUrl: string, path: string): string => {
  const url = new URL(baseUrl)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url.href
}

/**
 * Sends one request and hands the answer out as it arrives. Redirects are refused: a key belongs to one server.
 *
 * @throws ProviderFailure `canceled` when `signal` was aborted, `timeout` after silence, `api_error` when the server
 * cannot be reached; with `interrupted` once the answer had begun.
 */
export async function callUpstream(request: OutboundRequest, ports: OutboundPorts): Promise<OutboundResponse> {
  const {upstream, signal, deadlines} = request
  const leaving = new AbortController()
  let begun = false
  let isSilent = false
  const leave = () => leaving.abort()
  const endSilence = () => {
    isSilent = true
    leave()
  }
  const failure = (error: unknown) => failureOf(request, {begun, isSilent}, error)

  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  const stopWatch = ports.timers.after(deadlines.firstByteMilliseconds, endSilence)
  const letGo = () => {
    stopWatch()
    signal.removeEventListener('abort', leave)
  }

  let received: Received
  try {
    const address = endpoint(upstream.baseUrl, request.path)
    received = await ports.send(address, toSending(request, leaving.signal), ports.timers)
    if (isRedirect(received.status)) {
      received.body.destroy()
      throw new Error('The server redirects.')
    }
  } catch (error) {
    letGo()
    throw failure(error)
  }
  const body = addAbortSignal(leaving.signal, received.body)

  const watch = () => {
    stopWatch()
    return ports.timers.silence(deadlines.idleMilliseconds, endSilence)
  }
  const close = (silence: Silence) => {
    silence.stop()
    letGo()
    body.destroy()
  }
  const decoder = new TextDecoder()
  const decode = (piece?: Uint8Array) => decoder.decode(piece, {stream: piece !== undefined})

  /** `take` gets each piece, and nothing at the end; the empty ones of what it makes are left out. */
  async function* readBody<Piece extends {length: number}>(take: (piece?: Uint8Array) => Piece): AsyncGenerator<Piece> {
    const silence = watch()
    try {
      // A stream without an encoding yields buffers; its type says `any`.
      for await (const bytes of body as AsyncIterable<Buffer>) {
        begun = true
        silence.heard()
        const piece = take(bytes)
        if (piece.length > 0) yield piece
      }
      leaving.signal.throwIfAborted()
      const rest = take()
      if (rest.length > 0) yield rest
    } catch (error) {
      throw failure(error)
    } finally {
      close(silence)
    }
  }

  const read: OutboundResponse['read'] = async (take) => {
    const silence = watch()
    let fault: {error: unknown} | undefined
    const hand = (piece: string): boolean => {
      try {
        return piece === '' || take(piece)
      } catch (error) {
        fault = {error}
        return false
      }
    }
    try {
      const isWhole = await eachPiece(body, (bytes) => {
        begun = true
        silence.heard()
        return hand(decode(bytes))
      })
      if (fault === undefined) leaving.signal.throwIfAborted()
      if (isWhole) hand(decode())
    } catch (error) {
      throw failure(error)
    } finally {
      close(silence)
    }
    if (fault !== undefined) throw fault.error
  }

  return {
    status: received.status,
    headers: received.headers,
    read,
    bytes: readBody((piece = new Uint8Array()) => piece),
    text: readBody(decode),
  }
}

/** Why contact was lost, in words for users. `begun`: the answer had begun. */
function failureOf(
  {upstream: {name}, signal, deadlines}: OutboundRequest,
  {begun, isSilent}: {begun: boolean; isSilent: boolean},
  error: unknown,
): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  if (signal.aborted) return new ProviderFailure('canceled', 'The answer was stopped.', {cause: error})
  const options = {interrupted: begun, cause: error}
  if (isSilent) {
    const waited = seconds(begun ? deadlines.idleMilliseconds : deadlines.firstByteMilliseconds)
    return new ProviderFailure('timeout', `${name} was silent for ${waited}.`, options)
  }
  if (begun) return new ProviderFailure('api_error', `The connection to ${name} broke off.`, options)
  const code = causeCode(error)
  return new ProviderFailure('api_error', `${name} cannot be reached${code ? ` (${code})` : ''}.`, {cause: error})
}

/** Calls `take` in the moment a piece comes, without the promises of an iterator. Resolves with whether all of it was taken. */
const eachPiece = (body: Readable, take: (bytes: Buffer) => boolean): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const onData = (bytes: Buffer) => {
      if (take(bytes)) return
      body.off('data', onData)
      resolve(false)
    }
    finished(body, {writable: false}, (error) => (error ? reject(error) : resolve(true)))
    body.on('data', onData)
  })

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

function toSending({upstream, method, body, headers}: OutboundRequest, signal: AbortSignal): Sending {
  const isForm = body instanceof FormData
  return {
    method,
    headers: {
      // The boundary of a form is known to who sends it.
      ...(body === undefined || isForm ? {} : {'content-type': 'application/json'}),
      ...authorization(upstream),
      ...headers,
    },
    body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
    signal,
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
