import {asc} from 'drizzle-orm'
import {describeError} from '../http/boundary.ts'
import type {Ledger} from '../ledger/ledger.ts'
import type {Medium} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {platformBase} from '../platform/addresses.ts'
import {ProviderFailure} from '../providers/provider.ts'
import {tasks} from '../store/schema/media.ts'
import {waitAtMost} from '../work/races.ts'
import {retryForAMinute} from '../work/retry.ts'
import {dropArtifacts} from './artifacts.ts'
import {endAndFollowUp, serviceIdOf} from './end-task.ts'
import {createProgressWriter} from './progress-writer.ts'
import {withAddresses} from './file-marks.ts'
import {findOperation} from './operations.ts'
import {runTask, usageStatus, type RunResult, type RunTaskParts, type TaskEndReason} from './run-task.ts'
import {claimTask, isWaiting, releaseTask, storeFacts, type TaskRow, type TaskRun} from './task-store.ts'

const minute = 60_000
/** How long a task may be made, by what it makes; what is given up is not charged (security R54). */
export const deadlines: Record<Medium, number> = {
  image: 15 * minute,
  text: 10 * minute,
  audio: 20 * minute,
  video: 45 * minute,
}
const longestDeadline = Math.max(...Object.values(deadlines))
/** What was cut off gets this long after a restart, however long nobody ran it. */
const secondChance = 5 * minute

export type TaskRunnerParts = RunTaskParts & {
  ledger: Ledger
  /** Names this process among the workers; its heartbeat says that its tasks are alive. */
  workerId: () => string
  /** Tasks of one person that run at once; more wait in line (security R33). */
  perUser: number
  /** Tasks that run at once in this process; others wait, or run in another one. */
  atOnce: number
}

export type TaskRunner = {
  isHere: (taskId: string) => boolean
  /** Takes a waiting task, if it may run now, and starts it. Returns whether it did, before the task ends. */
  claim: (taskId: string) => Promise<boolean>
  /** Ends a task that runs here, as stopped or as taken away. */
  stop: (taskId: string, reason: 'stop' | 'lost') => void
  /** Takes no more; lets the running ones end for this long; then each is let go for the next process, or interrupted. */
  drain: (milliseconds: number) => Promise<void>
  /** Starts what waits in line here, oldest first. */
  startWaiting: () => Promise<void>
}

type Running = {controller: AbortController; done: Promise<void>}

/** Makes media tasks in this process, whether or not somebody waits for them. */
export function createTaskRunner(parts: TaskRunnerParts): TaskRunner {
  const {deps, ledger, timers} = parts
  const {database, log, now} = deps
  const running = new Map<string, Running>()
  const claiming = new Map<string, Promise<boolean>>()
  let isDraining = false

  const start = (row: TaskRow) => {
    const controller = new AbortController()
    const done = produce(row, controller)
      .catch((error: unknown) => log.error('a task could not be ended', {task: row.id, ...describeError(error)}))
      .finally(() => running.delete(row.id))
      .then(startWaiting)
      .catch((error: unknown) => log.error('the next task in line could not be started', describeError(error)))
    running.set(row.id, {controller, done})
  }

  const produce = async (row: TaskRow, controller: AbortController): Promise<void> => {
    const run: TaskRun = {taskId: row.id, fence: row.fence}
    const abort = (reason: TaskEndReason) => controller.abort(reason)
    const elapsed = row.startedAt === null ? 0 : now().getTime() - row.startedAt.getTime()
    const stopClock = timers.after(Math.max(secondChance, deadlineOf(parts, row) - elapsed), () => abort('deadline'))
    const writer = createProgressWriter({database, timers, log}, run, () => abort('lost'))
    // The job of the run is known here as soon as it is stored, so that a drain can let it go.
    const known = {...row}
    const result = await runTask(parts, {
      row: known,
      signal: controller.signal,
      onProgress: writer.report,
      storeJob: async (providerJob) => {
        known.providerJob = providerJob
        if (!(await database.asSystem((transaction) => storeFacts(transaction, run, {providerJob})))) {
          abort('lost')
          throw new ProviderFailure('canceled', 'The task was stopped.')
        }
      },
    })
    stopClock()
    await writer.close()
    await retryForAMinute({timers, log}, 'ending a task', () => end(row, run, result))
  }

  const end = async (row: TaskRow, run: TaskRun, result: RunResult): Promise<void> => {
    if (result === 'lost') return
    if (result === 'released') {
      await database.asSystem((transaction) => releaseTask(transaction, run))
      return
    }
    const {end: taskEnd, isAsked} = result
    const ended = await database.asSystem((transaction) =>
      endAndFollowUp(transaction, ledger, run, {
        end: taskEnd,
        serviceId: serviceIdOf(parts.tools, row),
        isCharged: taskEnd.state === 'succeeded',
        status: isAsked ? usageStatus(taskEnd) : undefined,
        now: now(),
      }),
    )
    if (ended && taskEnd.state === 'failed') await dropArtifacts(deps, row)
  }

  const isFull = () => running.size + claiming.size >= parts.atOnce

  const claim: TaskRunner['claim'] = async (taskId) => {
    if (isDraining || running.has(taskId) || claiming.has(taskId) || isFull()) return false
    const claimed = takeAndStart(taskId).finally(() => claiming.delete(taskId))
    claiming.set(taskId, claimed)
    return claimed
  }

  const takeAndStart = async (taskId: string): Promise<boolean> => {
    const row = await database.asSystem((transaction) =>
      claimTask(transaction, {taskId, workerId: parts.workerId(), perUser: parts.perUser, now: now()}),
    )
    if (row === undefined) return false
    if (isDraining) {
      // taken in the moment of the stop: nothing was begun, and the next process takes it
      await database.asSystem((transaction) => releaseTask(transaction, {taskId, fence: row.fence}))
      return false
    }
    start(row)
    return true
  }

  /** One of each person in a round, so that nobody's long line keeps others waiting. */
  const startWaiting = async (): Promise<void> => {
    for (let isMoving = true; isMoving && !isDraining && !isFull();) {
      const rows = await database.asSystem((transaction) =>
        transaction
          .selectDistinctOn([tasks.userId], {id: tasks.id, createdAt: tasks.createdAt})
          .from(tasks)
          .where(isWaiting)
          .orderBy(tasks.userId, asc(tasks.createdAt)),
      )
      isMoving = false
      for (const {id} of rows.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()))
        if (await claim(id)) isMoving = true
    }
  }

  return {
    isHere: (taskId) => running.has(taskId) || claiming.has(taskId),
    claim,
    startWaiting,
    stop: (taskId, reason) => running.get(taskId)?.controller.abort(reason satisfies TaskEndReason),
    drain: async (milliseconds) => {
      isDraining = true
      const all = () => Promise.allSettled([...claiming.values(), ...[...running.values()].map(({done}) => done)])
      await waitAtMost(timers, milliseconds, all())
      for (const {controller} of running.values()) controller.abort('drain' satisfies TaskEndReason)
      await all()
    },
  }
}

/** By what the operation makes and not by its tool: midjourney makes videos as well, suno words. */
function deadlineOf({tools, deps}: TaskRunnerParts, row: TaskRow): number {
  const found = findOperation(tools, row)
  const request = withAddresses(row.request, platformBase(deps.config, undefined))
  const body = found && z.safeParse(found.operation.body, request)
  return found && body?.success ? deadlines[found.operation.plan(body.data).medium] : longestDeadline
}
