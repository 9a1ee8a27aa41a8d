import {vi} from 'vitest'

export type Seen = {
  url: string
  method: string
  headers: Record<string, string>
  body: unknown
  signal: AbortSignal | undefined
  keepalive: boolean
}
type Answer = Response | Error | ((seen: Seen) => Response | Promise<Response>)

/** A fetch that answers in turn (the last answer stays) and remembers what it was asked. */
export const createFakeFetch = (...answers: Answer[]) => {
  const seen: Seen[] = []
  const fetch = vi.fn(async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request: Seen = {
      url: url instanceof Request ? url.url : url.toString(),
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
      signal: init.signal ?? undefined,
      keepalive: init.keepalive === true,
    }
    seen.push(request)
    init.signal?.throwIfAborted()
    const answer = answers[Math.min(seen.length, answers.length) - 1]
    if (answer === undefined) throw new Error('No answer was prepared')
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? answer(request) : answer.clone()
  })
  return {fetch, seen}
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {status, headers: {'content-type': 'application/json', ...headers}})

/** Never answers; rejects as a browser does when its signal aborts. */
export const silence = ({signal}: Seen) =>
  new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))

/** A body that is fed by hand. */
export const createBody = (contentType = 'text/event-stream') => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const cancelled = vi.fn()
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
    },
    cancel: cancelled,
  })
  return {
    response: new Response(stream, {headers: {'content-type': contentType}}),
    cancelled,
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    close: () => controller?.close(),
    break: (error: Error) => controller?.error(error),
  }
}
