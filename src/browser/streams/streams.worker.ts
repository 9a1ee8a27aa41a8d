import {serveStreams} from './serve-streams.ts'
import type {PageMessage, WorkerMessage} from './stream-messages.ts'

const send = (message: WorkerMessage, transfer: Transferable[] = []) => self.postMessage(message, {transfer})

const receive = serveStreams((input, init) => fetch(input, init), send)
self.addEventListener('message', ({data}: MessageEvent<PageMessage>) => receive(data))
send({type: 'ready'})
