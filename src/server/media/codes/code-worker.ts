import {setPriority} from 'node:os'
import {parentPort} from 'node:worker_threads'
import sharp from 'sharp'
import {readCode} from './read-code.ts'

/** To the thread: a picture. From it: whether it has a code that can be read; a picture that cannot be opened is unjudged. */
export type CodeReply = {verdict: 'code' | 'none' | 'unjudged'}

const port = parentPort
if (port === null) throw new Error('code-worker.ts runs only as a worker thread')
if (process.platform === 'linux') setPriority(5)
sharp.concurrency(1)
sharp.cache(false)

const judge = async (picture: Uint8Array): Promise<CodeReply> => {
  try {
    // an empty code says nothing
    return {verdict: (await readCode(picture)) ? 'code' : 'none'}
  } catch {
    return {verdict: 'unjudged'}
  }
}

port.on('message', (picture: Uint8Array) => void judge(picture).then((reply) => port.postMessage(reply)))
