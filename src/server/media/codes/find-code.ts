import {once} from 'node:events'
import {Worker} from 'node:worker_threads'
import {workerAddress} from './code-worker-address.ts'
import type {CodeReply} from './code-worker.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Whether an image has a readable code. A thread looks for it, since that takes up to seconds; images are read and
 * searched one after another.
 */
export function findCode(read: () => Promise<Uint8Array>): Promise<CodeReply['verdict']> {
  const turn = last.then(() => look(read))
  last = turn.catch(() => undefined)
  return turn
}

async function look(read: () => Promise<Uint8Array>): Promise<CodeReply['verdict']> {
  const image = await read()
  const worker = new Worker(new URL(workerAddress))
  try {
    worker.postMessage(image)
    // a thread that breaks rejects this
    const [reply] = (await once(worker, 'message')) as [CodeReply] // as: the worker's only message
    return reply.verdict
  } finally {
    await worker.terminate()
  }
}
