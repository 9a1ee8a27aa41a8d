import {availableParallelism} from 'node:os'
import {Worker} from 'node:worker_threads'
import {ProviderFailure} from '../../provider.ts'
import type {MadeFile, MediaJob, WorkerReply, WorkerRequest} from './media-job.ts'

export type PoolOptions = {
  /** Address of the worker's file. */
  worker: string | URL
  /** Threads at most. */
  size?: number
  /** A worker without work for that long ends. Milliseconds. */
  idleMilliseconds?: number
  /** A stopped worker that goes on for that long is ended by force. Milliseconds. */
  stopMilliseconds?: number
}

export type JobOptions = {
  signal: AbortSignal
  onProgress?: (percent: number) => void
  /** Goes before jobs that are not. */
  isShort?: boolean
}

export type MediaPool = {
  run: (job: MediaJob, options: JobOptions) => Promise<MadeFile[]>
  /** Ends all threads; what they were doing fails. */
  close: () => Promise<void>
}

type Task = {
  job: MediaJob
  options: JobOptions
  resolve: (files: MadeFile[]) => void
  reject: (reason: Error) => void
}

/** One thread and what it does at the moment. */
type Member = {worker: Worker; isBusy: boolean; idle: NodeJS.Timeout | undefined}

/** What broke is for the log; the person can only try again. */
const broke = (cause: unknown) => new ProviderFailure('api_error', 'The sandbox broke while it made this.', {cause})

const reasonOf = ({reason}: AbortSignal): Error =>
  reason instanceof Error ? reason : new DOMException(String(reason ?? 'The work was stopped.'), 'AbortError')

/**
 * Threads that make files, few enough to leave a processor to the server. A job that is aborted is asked to stop between
 * two steps and its promise rejects at once with the signal's reason; a thread that breaks rejects its job and is
 * replaced by the next one.
 */
export function createMediaPool({
  worker: address,
  size = Math.max(1, availableParallelism() - 1),
  idleMilliseconds = 60_000,
  stopMilliseconds = 5_000,
}: PoolOptions): MediaPool {
  const members = new Set<Member>()
  const waiting: Task[] = []

  const startMember = (): Member => {
    const member: Member = {worker: new Worker(address), isBusy: false, idle: undefined}
    member.worker.unref()
    member.worker.on('exit', () => forget(member))
    // a thread that breaks without a job hurts nobody; with one, the job's own listener rejects
    member.worker.on('error', () => {})
    members.add(member)
    return member
  }

  const forget = (member: Member) => {
    clearTimeout(member.idle)
    members.delete(member)
    advance()
  }

  const rest = (member: Member) => {
    member.isBusy = false
    member.worker.unref()
    member.idle = setTimeout(() => void member.worker.terminate(), idleMilliseconds)
    member.idle.unref()
    advance()
  }

  const advance = () => {
    while (waiting.length > 0) {
      const free = [...members].find(({isBusy}) => !isBusy) ?? (members.size < size ? startMember() : undefined)
      const task = free && waiting.shift()
      if (!free || !task) return
      start(free, task)
    }
  }

  const start = (member: Member, {job, options, resolve, reject}: Task) => {
    const {worker} = member
    const stop = new SharedArrayBuffer(1)
    let forced: NodeJS.Timeout | undefined
    const settle = (end: () => void) => {
      clearTimeout(forced)
      options.signal.removeEventListener('abort', abort)
      worker.off('message', receive).off('error', crash).off('exit', vanish)
      end()
    }
    const abort = () => {
      Atomics.store(new Uint8Array(stop), 0, 1)
      forced = setTimeout(() => void worker.terminate(), stopMilliseconds)
      forced.unref()
      reject(reasonOf(options.signal))
    }
    const receive = (reply: WorkerReply) => {
      if (reply.type === 'progress') {
        if (!options.signal.aborted) options.onProgress?.(reply.percent)
        return
      }
      settle(() => {
        if (reply.type === 'made') resolve(reply.files)
        else if (reply.type === 'stopped') reject(reasonOf(options.signal))
        else
          reject(
            reply.code === undefined ? broke(new Error(reply.detail)) : new ProviderFailure(reply.code, reply.detail),
          )
      })
      rest(member)
    }
    const crash = (error: unknown) => settle(() => reject(broke(error)))
    const vanish = (code: number) => settle(() => reject(broke(new Error(`the thread ended with ${code}`))))

    member.isBusy = true
    clearTimeout(member.idle)
    worker.ref()
    worker.on('message', receive).on('error', crash).on('exit', vanish)
    options.signal.addEventListener('abort', abort, {once: true})
    worker.postMessage({job, stop} satisfies WorkerRequest)
  }

  const run = (job: MediaJob, options: JobOptions) =>
    new Promise<MadeFile[]>((resolve, reject) => {
      if (options.signal.aborted) return reject(reasonOf(options.signal))
      const leaveQueue = () => {
        const place = waiting.indexOf(task)
        if (place < 0) return
        waiting.splice(place, 1)
        reject(reasonOf(options.signal))
      }
      options.signal.addEventListener('abort', leaveQueue, {once: true})
      const done = () => options.signal.removeEventListener('abort', leaveQueue)
      const task: Task = {
        job,
        options,
        resolve: (files) => (done(), resolve(files)),
        reject: (reason) => (done(), reject(reason)),
      }
      const firstLong = options.isShort ? waiting.findIndex((other) => !other.options.isShort) : -1
      waiting.splice(firstLong < 0 ? waiting.length : firstLong, 0, task)
      advance()
    })

  return {
    run,
    close: async () => {
      for (const task of waiting.splice(0)) task.reject(broke(new Error('the server stops')))
      await Promise.all([...members].map(({worker}) => worker.terminate()))
    },
  }
}
