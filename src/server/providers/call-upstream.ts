import {addAbortSignal, finished, type Readable} from 'node:stream'
import {causeCode, seconds, type OutboundPorts, type RawResponse, type Sending} from './outbound.ts'
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
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path
  return url.href
}

/**
 * Sends one request and hands the answer out as it arrives. Redirects are refused: a key belongs to one server.
 *
 * @throws ProviderFailure `canceled` when `signal` was aborted, `timeout` after silence, `api_error` when the server
 * cannot be reached; with `interrupted` once the answer had begun.
 */
export async function callUpstream(request: OutboundRequest, ports: OutboundPorts): Promise<OutboundResponse> {
  const contact = new Contact(request, ports.timers)
  let response: RawResponse
  try {
    const address = endpoint(request.upstream.baseUrl, request.path)
    response = await ports.send(address, toSending(request, contact.signal), ports.timers)
    if (isRedirect(response.status)) {
      response.body.destroy()
      throw new Error('The server redirects.')
    }
  } catch (error) {
    contact.end()
    throw contact.failure(error)
  }
  const body = addAbortSignal(contact.signal, response.body)
  const decoder = new TextDecoder()
  const decode = (piece?: Uint8Array) => decoder.decode(piece, {stream: piece !== undefined})
  return {
    status: response.status,
    headers: response.headers,
    read: (take) => handOut(contact, body, decode, take),
    bytes: readBody(contact, body, (piece = new Uint8Array()) => piece),
    text: readBody(contact, body, decode),
  }
}

/** The contact with a server during one request. It ends with the signal of the request, or with silence. */
class Contact {
  private readonly leaving = new AbortController()
  private readonly stopWatch: () => void
  private silence: Silence | undefined
  private isSilent = false
  /** The answer has begun. */
  private begun = false
  private readonly leave = () => this.leaving.abort()
  private readonly endSilence = () => {
    this.isSilent = true
    this.leave()
  }

  constructor(
    private readonly request: OutboundRequest,
    private readonly timers: OutboundPorts['timers'],
  ) {
    if (request.signal.aborted) this.leave()
    request.signal.addEventListener('abort', this.leave)
    this.stopWatch = timers.after(request.deadlines.firstByteMilliseconds, this.endSilence)
  }

  get signal(): AbortSignal {
    return this.leaving.signal
  }

  /** The body is read from now on; each piece of it has the time of its own. */
  beginBody(): void {
    this.stopWatch()
    this.silence = this.timers.silence(this.request.deadlines.idleMilliseconds, this.endSilence)
  }

  heard(): void {
    this.begun = true
    this.silence?.heard()
  }

  end(): void {
    this.silence?.stop()
    this.stopWatch()
    this.request.signal.removeEventListener('abort', this.leave)
  }

  /** Why contact was lost, in words for users. */
  failure(error: unknown): ProviderFailure {
    const {
      upstream: {name},
      signal,
      deadlines,
    } = this.request
    if (error instanceof ProviderFailure) return error
    if (signal.aborted) return new ProviderFailure('canceled', 'The answer was stopped.', {cause: error})
    const options = {interrupted: this.begun, cause: error}
    if (this.isSilent) {
      const waitSeconds = seconds(this.begun ? deadlines.idleMilliseconds : deadlines.firstByteMilliseconds)
      return new ProviderFailure('timeout', `${name} was silent for ${waitSeconds}.`, options)
    }
    if (this.begun) return new ProviderFailure('api_error', `The connection to ${name} broke off.`, options)
    const code = causeCode(error)
    return new ProviderFailure('api_error', `${name} cannot be reached${code ? ` (${code})` : ''}.`, {cause: error})
  }
}

/** `take` gets each piece, and nothing at the end; the empty ones of what it makes are left out. */
async function* readBody<Piece extends {length: number}>(
  contact: Contact,
  body: Readable,
  take: (piece?: Uint8Array) => Piece,
): AsyncGenerator<Piece> {
  contact.beginBody()
  try {
    // A stream without an encoding yields buffers; its type says `any`.
    for await (const bytes of body as AsyncIterable<Buffer>) {
      contact.heard()
      const piece = take(bytes)
      if (piece.length > 0) yield piece
    }
    contact.signal.throwIfAborted()
    const rest = take()
    if (rest.length > 0) yield rest
  } catch (error) {
    throw contact.failure(error)
  } finally {
    contact.end()
    body.destroy()
  }
}

/** Hands each piece of text to `take` (`OutboundResponse.read`). */
async function handOut(
  contact: Contact,
  body: Readable,
  decode: (piece?: Uint8Array) => string,
  take: (piece: string) => boolean,
): Promise<void> {
  let fault: {error: unknown} | undefined
  const hand = (piece: string): boolean => {
    try {
      return piece === '' || take(piece)
    } catch (error) {
      fault = {error}
      return false
    }
  }
  contact.beginBody()
  try {
    const isWhole = await eachPiece(body, (bytes) => {
      contact.heard()
      return hand(decode(bytes))
    })
    if (fault === undefined) contact.signal.throwIfAborted()
    if (isWhole) hand(decode())
  } catch (error) {
    throw contact.failure(error)
  } finally {
    contact.end()
    body.destroy()
  }
  if (fault !== undefined) throw fault.error
}

/** Calls `take` when a piece comes, without an iterator's promises. Resolves with whether all of it was taken. */
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
      // The boundary of a form is known only to the code that sends it.
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
