import {collected} from './collected-body.ts'
import {pause} from './pause.ts'
import type {PageMessage, WorkerMessage} from './stream-messages.ts'

type Send = (message: WorkerMessage, transfer?: Transferable[]) => void
type Running = {
  controller: AbortController
  bytes?: ReadableStreamDefaultReader<Uint8Array>
  /** Milliseconds after the bytes that were last asked for. */
  rest: number
}

/** The worker's side of `stream-fetch.ts`: sends requests and hands their bodies over as the page takes them. */
export function serveStreams(fetch: typeof globalThis.fetch, send: Send): (message: PageMessage) => void {
  const running = new Map<number, Running>()

  const fail = (id: number) => (reason: unknown) => {
    if (running.delete(id))
      send({id, type: 'failed', message: reason instanceof Error ? reason.message : String(reason)})
  }
  const open = async ({id, url, init}: PageMessage & {type: 'open'}) => {
    const request: Running = {controller: new AbortController(), rest: 0}
    running.set(id, request)
    const {status, headers, body} = await fetch(url, {...init, signal: request.controller.signal})
    if (!running.has(id)) return
    if (body === null) running.delete(id)
    else request.bytes = collected(body, () => pause(request.rest)).getReader()
    send({id, type: 'opened', status, headers: [...headers], hasBody: body !== null})
  }
  const take = async ({id, rest}: PageMessage & {type: 'take'}) => {
    const request = running.get(id)
    if (request === undefined) return
    request.rest = rest
    const piece = await request.bytes?.read()
    if (piece === undefined || !running.has(id)) return
    if (!piece.done) return send({id, type: 'bytes', bytes: piece.value}, [piece.value.buffer])
    running.delete(id)
    send({id, type: 'ended'})
  }

  return (message) => {
    const {id} = message
    if (message.type === 'open') open(message).catch(fail(id))
    else if (message.type === 'take') take(message).catch(fail(id))
    else {
      running.get(id)?.controller.abort()
      running.delete(id)
    }
  }
}
