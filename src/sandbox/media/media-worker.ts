import {setPriority} from 'node:os'
import {parentPort} from 'node:worker_threads'
import sharp from 'sharp'
import {makeFiles} from './make-files.ts'
import {MediaRefusal, WorkStopped, type Work, type WorkerReply, type JobRequest} from './media-job.ts'

/*
 * The thread that makes the sandbox's files: one job at a time, by messages (`media-pool.ts`). On Linux it and its
 * encoders run at a lower priority than the server; elsewhere priority belongs to whole processes.
 */

const belowServer = 10

const port = parentPort
if (port === null) throw new Error('media-worker.ts runs only as a worker thread')
if (process.platform === 'linux') setPriority(belowServer)
sharp.concurrency(1)
sharp.cache(false)

const send = (reply: WorkerReply) => port.postMessage(reply)

async function run({job, stop}: JobRequest): Promise<void> {
  const flag = new Uint8Array(stop)
  let shownShare = -1
  const work: Work = {
    report: (percent) => {
      const whole = Math.min(100, Math.floor(percent))
      if (whole <= shownShare) return
      shownShare = whole
      send({type: 'progress', percent: whole})
    },
    checkpoint: () => {
      if (Atomics.load(flag, 0) === 1) throw new WorkStopped('Nobody waits for this any more.')
    },
  }
  try {
    send({type: 'made', files: await makeFiles(job, work)})
  } catch (error) {
    if (error instanceof WorkStopped) send({type: 'stopped'})
    else if (error instanceof MediaRefusal) send({type: 'failed', code: error.code, detail: error.detail})
    else send({type: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error)})
  }
}

port.on('message', (request: JobRequest) => void run(request))
