import {availableParallelism} from 'node:os'
import {Worker} from 'node:worker_threads'
import {ProviderFailure} from '#server/providers/provider.ts'
import type {SandboxFile, MediaJob, WorkerReply, JobRequest} from './media-job.ts'

export type PoolOptions = {
  /** Address of the worker's file. */
  worker: string | URL
  /** Threads at most. */
  size?: number
  /** Milliseconds after which a stopped but still running worker is terminated. */
  stopMilliseconds?: number
}

type JobOptions = {
  signal: AbortSignal
  onProgress?: (percent: number) => void
  /** Runs before jobs without it. */
  isShort?: boolean
}

export type MediaPool = ReturnType<typeof createMediaPool>

type PoolTask = JobRequest & {
  isShort: boolean
  progress: (percent: number) => void
  resolve: (files: SandboxFile[]) => void
  reject: (reason: Error) => void
}

/** One thread, its current task, and the timer that ends it. */
type Member = {worker: Worker; task?: PoolTask; timer?: NodeJS.Timeout}

/** A worker that is idle for this many milliseconds ends. */
const idleMilliseconds = 60_000

/** The cause is for the log; the user can only retry. */
const broke = (cause: unknown) => new ProviderFailure('api_error', 'The sandbox broke while it made this.', {cause})

const reasonOf = ({reason}: AbortSignal): Error =>
  reason instanceof Error ? reason : new DOMException(String(reason ?? 'The work was stopped.'), 'AbortError')

/** The failure that a thread reports. Without a code the sandbox itself is at fault. */
const failureOf = (reply: Exclude<WorkerReply, {type: 'progress' | 'made'}>): Error => {
  if (reply.type === 'failed' && reply.code !== undefined) return new ProviderFailure(reply.code, reply.detail)
  return broke(new Error(reply.type === 'failed' ? reply.detail : 'nobody stopped it'))
}

/** Before the first long task if the new one is short, else at the end. */
function enqueue(waiting: PoolTask[], task: PoolTask): void {
  const firstLong = task.isShort ? waiting.findIndex((other) => !other.isShort) : -1
  waiting.splice(firstLong < 0 ? waiting.length : firstLong, 0, task)
}

/**
 * Threads that make files, few enough to leave a processor to the server. An aborted job is asked to stop between two
 * steps, and its promise rejects at once with the signal's reason. A thread that crashes rejects its job and is
 * replaced by the next one.
 */
export function createMediaPool({
  worker: address,
  size = Math.max(1, availableParallelism() - 1),
  stopMilliseconds = 5_000,
}: PoolOptions) {
  const members = new Set<Member>()
  const waiting: PoolTask[] = []

  const endAfter = (member: Member, milliseconds: number) => {
    clearTimeout(member.timer)
    member.timer = setTimeout(() => void member.worker.terminate(), milliseconds).unref()
  }

  const startMember = (): Member => {
    const worker = new Worker(address)
    const member: Member = {worker}
    members.add(member)
    worker.unref()
    worker.on('message', (reply: WorkerReply) => receive(member, reply))
    // a crash of an idle thread affects no job
    worker.on('error', (error) => member.task?.reject(broke(error)))
    worker.on('exit', (code) => {
      clearTimeout(member.timer)
      members.delete(member)
      member.task?.reject(broke(new Error(`the thread ended with ${code}`)))
      advance()
    })
    return member
  }

  const receive = (member: Member, reply: WorkerReply) => {
    const {task} = member
    if (reply.type === 'progress') return task?.progress(reply.percent)
    if (reply.type === 'made') task?.resolve(reply.files)
    else task?.reject(failureOf(reply))
    member.task = undefined
    member.worker.unref()
    endAfter(member, idleMilliseconds)
    advance()
  }

  const advance = () => {
    while (waiting.length > 0) {
      const free =
        [...members].find(({task}) => task === undefined) ?? (members.size < size ? startMember() : undefined)
      const task = free && waiting.shift()
      if (!free || !task) return
      free.task = task
      clearTimeout(free.timer)
      free.worker.ref()
      free.worker.postMessage({job: task.job, stop: task.stop} satisfies JobRequest)
    }
  }

  const run = (job: MediaJob, {signal, onProgress, isShort = false}: JobOptions) =>
    new Promise<SandboxFile[]>((resolve, reject) => {
      if (signal.aborted) return reject(reasonOf(signal))
      const abort = () => {
        Atomics.store(new Uint8Array(task.stop), 0, 1)
        const position = waiting.indexOf(task)
        const member = [...members].find((each) => each.task === task)
        if (position >= 0) waiting.splice(position, 1)
        if (member) endAfter(member, stopMilliseconds)
        reject(reasonOf(signal))
      }
      const done = () => signal.removeEventListener('abort', abort)
      const task: PoolTask = {
        job,
        stop: new SharedArrayBuffer(1),
        isShort,
        progress: (percent) => signal.aborted || onProgress?.(percent),
        resolve: (files) => (done(), resolve(files)),
        reject: (reason) => (done(), reject(reason)),
      }
      signal.addEventListener('abort', abort, {once: true})
      enqueue(waiting, task)
      advance()
    })

  return {
    run,
    /** Ends all threads; running tasks fail. */
    close: async () => {
      for (const task of waiting.splice(0)) task.reject(broke(new Error('the server stops')))
      await Promise.all([...members].map(({worker}) => worker.terminate()))
    },
  }
}
