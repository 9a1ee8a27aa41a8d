import type {PageMessage, WorkerMessage} from './stream-messages.ts'

/** Statuses whose responses have no body, even an empty one. */
const bodilessStatuses = [204, 205, 304]

type RequestOptions = {
  id: number
  url: string
  init: RequestInit
  /** Milliseconds between two reads of the body, asked at each. */
  rest: () => number
  post: (message: PageMessage) => void
  /** Called once, when nothing more comes of it. */
  onEnd: () => void
}

export type RelayedRequest = {
  /** Rejects as `fetch` does. */
  response: Promise<Response>
  receive: (message: Exclude<WorkerMessage, {type: 'ready'}>) => void
  fail: (reason: unknown) => void
  /** The request goes another way; nothing of the worker is waited for. */
  handOver: (response: Promise<Response>) => void
}

const openMessage = (id: number, url: string, {method, headers, body}: RequestInit): PageMessage => ({
  id,
  type: 'open',
  url,
  init: {
    ...(method === undefined ? {} : {method}),
    headers: Object.fromEntries(new Headers(headers)),
    ...(typeof body === 'string' ? {body} : {}),
  },
})

/** One request that the worker sends for the page. */
export function createWorkerRequest({id, url, init, rest, post, onEnd}: RequestOptions): RelayedRequest {
  const {signal} = init
  let settle: {resolve: (response: Response | Promise<Response>) => void; reject: (reason: unknown) => void}
  let body: ReadableStreamDefaultController<Uint8Array> | undefined
  let endPull = () => {}
  const response = new Promise<Response>((resolve, reject) => (settle = {resolve, reject}))

  const end = () => {
    signal?.removeEventListener('abort', abort)
    onEnd()
    endPull()
  }
  const fail = (reason: unknown) => {
    end()
    if (body === undefined) settle.reject(reason)
    else body.error(reason)
  }
  const cancel = () => {
    end()
    post({id, type: 'cancel'})
  }
  const abort = () => {
    post({id, type: 'cancel'})
    fail(signal?.reason)
  }
  const createBody = () =>
    new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          body = controller
        },
        pull: () => {
          post({id, type: 'take', rest: rest()})
          return new Promise<void>((resolve) => (endPull = resolve))
        },
        cancel,
      },
      {highWaterMark: 0},
    )
  const open = ({status, headers, hasBody}: WorkerMessage & {type: 'opened'}) => {
    const isBodiless = !hasBody || bodilessStatuses.includes(status)
    settle.resolve(new Response(isBodiless ? null : createBody(), {status, headers}))
    if (isBodiless) end()
  }

  signal?.addEventListener('abort', abort)
  post(openMessage(id, url, init))
  return {
    response,
    fail,
    receive: (message) => {
      switch (message.type) {
        case 'opened':
          return open(message)
        case 'bytes':
          body?.enqueue(message.bytes)
          return endPull()
        case 'ended':
          body?.close()
          return end()
        case 'failed':
          return fail(new TypeError(message.message))
      }
    },
    handOver: (other) => {
      end()
      settle.resolve(other)
    },
  }
}
