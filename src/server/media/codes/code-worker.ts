import {setPriority} from 'node:os'
import {parentPort} from 'node:worker_threads'
import sharp from 'sharp'
import {readCode} from './read-code.ts'

/** To the thread: an image. From it: whether it has a readable code; an image that cannot be opened is unjudged. */
export type CodeReply = {verdict: 'code' | 'none' | 'unjudged'}

const port = parentPort
if (port === null) throw new Error('code-worker.ts runs only as a worker thread')
if (process.platform === 'linux') setPriority(5)
sharp.concurrency(1)
sharp.cache(false)

const judge = async (image: Uint8Array): Promise<CodeReply> => {
  try {
    // an empty code says nothing
    return {verdict: (await readCode(image)) ? 'code' : 'none'}
  } catch {
    return {verdict: 'unjudged'}
  }
}

port.on('message', (image: Uint8Array) => void judge(image).then((reply) => port.postMessage(reply)))
