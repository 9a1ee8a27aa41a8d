import {collected} from './collected-body.ts'
import {pause} from './pause.ts'
import type {WorkerMessage} from './stream-messages.ts'
import {createWorkerRequest, type RelayedRequest} from './worker-request.ts'

/** The part of a `Worker` that is used here. */
export type StreamWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

type Running = {request: RelayedRequest; sendHere: () => Promise<Response>}

/**
 * A `fetch` for streams. Their bytes are read in a worker, so that hundreds of small chunks a second are no work of the
 * page; each read of a body takes all that has arrived, and `rest` milliseconds lie between two of them, which the
 * worker waits for. Where no worker starts, the page reads them itself.
 */
export function createStreamFetch(startWorker: () => StreamWorker, fetch: typeof globalThis.fetch, rest: () => number) {
  const running = new Map<number, Running>()
  let worker: StreamWorker | undefined
  let lastId = 0

  const fetchHere = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    return response.body === null
      ? response
      : new Response(
          collected(response.body, () => pause(rest())),
          response,
        )
  }
  const start = (): StreamWorker => {
    const newWorker = startWorker()
    let isReady = false
    newWorker.onmessage = ({data}: MessageEvent<WorkerMessage>) => {
      if (data.type === 'ready') isReady = true
      else running.get(data.id)?.request.receive(data)
    }
    newWorker.onerror = () => {
      newWorker.terminate()
      worker = undefined
      for (const {request, sendHere} of running.values()) {
        // a worker that never ran has sent nothing
        if (isReady) request.fail(new TypeError('The worker that reads streams broke'))
        else request.handOver(sendHere())
      }
    }
    return newWorker
  }

  return async (url: string, init: RequestInit): Promise<Response> => {
    init.signal?.throwIfAborted()
    try {
      worker ??= start()
    } catch {
      // a browser without module workers
      return fetchHere(url, init)
    }
    const currentWorker = worker
    lastId += 1
    const id = lastId
    const request = createWorkerRequest({
      id,
      url,
      init,
      rest,
      post: (message) => currentWorker.postMessage(message),
      onEnd: () => running.delete(id),
    })
    running.set(id, {request, sendHere: () => fetchHere(url, init)})
    return request.response
  }
}
