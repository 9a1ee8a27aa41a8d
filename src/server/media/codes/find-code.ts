import {once} from 'node:events'
import {Worker} from 'node:worker_threads'
import {workerAddress} from './code-worker-address.ts'
import type {CodeReply} from './code-worker.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Whether a picture has a code that can be read. It is looked for in a thread, since that takes up to seconds; pictures
 * take turns, and each is read when it is its turn.
 */
export function findCode(read: () => Promise<Uint8Array>): Promise<CodeReply['verdict']> {
  const turn = last.then(() => look(read))
  last = turn.catch(() => undefined)
  return turn
}

async function look(read: () => Promise<Uint8Array>): Promise<CodeReply['verdict']> {
  const picture = await read()
  const worker = new Worker(new URL(workerAddress))
  try {
    worker.postMessage(picture)
    // a thread that breaks rejects this
    const [reply] = (await once(worker, 'message')) as [CodeReply] // as: the worker's only message
    return reply.verdict
  } finally {
    await worker.terminate()
  }
}
