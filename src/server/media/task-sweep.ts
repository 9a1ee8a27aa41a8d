import {and, eq, gte, inArray, isNotNull, isNull, lt, notExists, notInArray, or} from 'drizzle-orm'
import {statusOfCode} from '#domain/error-kinds.ts'
import {enqueueJob} from '../jobs/jobs.ts'
import {workers} from '../store/schema/installation.ts'
import {tasks} from '../store/schema/media.ts'
import {idempotencyKeys} from '../store/schema/submits.ts'
import type {FailedEnd} from '../runs/failure-end.ts'
import {keptKeyMilliseconds} from '../runs/idempotency.ts'
import {dropArtifacts} from './artifacts.ts'
import {endAndFollowUp, serviceIdOf} from './end-task.ts'
import {canGoOn, interrupted, tooLate} from './run-task.ts'
import {taskJob} from './submit-task.ts'
import {isOpen, isWaiting, releaseTask, takeTask, type TaskRow} from './task-store.ts'
import type {TaskRunner, TaskRunnerParts} from './task-runner.ts'

/** A task whose worker died this often is not tried again. Taking and letting go raise the fence by one each. */
const mostRuns = 4
/** A worker writes its row before it takes a task; this is only for rows that were deleted by hand. */
const unknownWorkerMilliseconds = 60_000
/** A task that nobody could start for so long is given up. */
const longestWaitMilliseconds = 12 * 3_600_000
const atOnce = 100

export type TaskSweep = {
  /** Tasks of workers that ended without a word go on elsewhere, or fail visibly. */
  workersDied: (workerIds: readonly string[]) => Promise<void>
  /** Starts what waits with nobody to start it, and picks up what nobody runs. */
  turn: () => Promise<void>
  /** Deletes the keys of tasks that ended long ago; a deleted task counts from its request. */
  clean: () => Promise<void>
}

export function createTaskSweep(
  parts: Pick<TaskRunnerParts, 'deps' | 'ledger' | 'registry' | 'tools' | 'workerId'> & {
    runner: TaskRunner
    runsTasks: boolean
  },
): TaskSweep {
  const {deps, ledger, registry, tools, runner} = parts
  const {database, now} = deps

  /** By the provider's job where there is one, from the start where that costs nothing, else as interrupted. */
  const recover = async (row: TaskRow): Promise<void> => {
    const tool = tools.find(({identity}) => identity.service === row.service)
    const provider = tool && registry.byName(tool.identity.id, row.provider)
    if (row.fence >= mostRuns * 2 - 1 || !canGoOn(provider, row)) return giveUp(row, interrupted)
    await database.asSystem(async (transaction) => {
      if (await releaseTask(transaction, {taskId: row.id, fence: row.fence}))
        await enqueueJob(transaction, taskJob, {taskId: row.id}, {key: `${taskJob}:${row.id}`})
    })
  }

  const giveUp = async (row: TaskRow, end: FailedEnd): Promise<void> => {
    const ended = await database.asSystem(async (transaction) => {
      const taken = await takeTask(transaction, {taskId: row.id, fence: row.fence})
      if (taken === undefined) return undefined
      return endAndFollowUp(
        transaction,
        ledger,
        {taskId: row.id, fence: taken.fence},
        {
          end,
          serviceId: serviceIdOf(tools, row),
          isCharged: false,
          status: row.startedAt === null ? undefined : statusOfCode(end.error.code),
          now: now(),
        },
      )
    })
    if (ended) await dropArtifacts(deps, row)
  }

  const openTasks = (condition: Parameters<typeof and>[0]) =>
    database.asSystem((transaction) => transaction.select().from(tasks).where(and(isOpen, condition)).limit(atOnce))

  /** Taken here, but not running: this process failed to start or to end it. */
  const lostHere = async (): Promise<void> => {
    for (const row of await openTasks(eq(tasks.workerId, parts.workerId())))
      if (!runner.isHere(row.id)) await recover(row)
  }

  const withoutWorker = async (): Promise<void> => {
    const since = new Date(now().getTime() - unknownWorkerMilliseconds)
    const rows = await database.asSystem((transaction) =>
      transaction
        .select()
        .from(tasks)
        .where(
          and(
            isOpen,
            lt(tasks.startedAt, since),
            notInArray(tasks.workerId, transaction.select({id: workers.id}).from(workers)),
          ),
        )
        .limit(atOnce),
    )
    for (const row of rows) await recover(row)
  }

  const tooOld = async (): Promise<void> => {
    const since = new Date(now().getTime() - longestWaitMilliseconds)
    for (const row of await openTasks(and(isWaiting, lt(tasks.createdAt, since)))) await giveUp(row, tooLate)
  }

  return {
    workersDied: async (workerIds) => {
      for (const row of await openTasks(inArray(tasks.workerId, [...workerIds]))) await recover(row)
    },
    turn: async () => {
      await lostHere()
      await withoutWorker()
      await tooOld()
      if (parts.runsTasks) await runner.startWaiting()
    },
    clean: async () => {
      const old = new Date(now().getTime() - keptKeyMilliseconds)
      await database.asSystem((transaction) =>
        transaction.delete(idempotencyKeys).where(
          and(
            lt(idempotencyKeys.createdAt, old),
            isNotNull(idempotencyKeys.taskId),
            notExists(
              transaction
                .select({id: tasks.id})
                .from(tasks)
                .where(
                  and(eq(tasks.id, idempotencyKeys.taskId), or(isNull(tasks.finishedAt), gte(tasks.finishedAt, old))),
                ),
            ),
          ),
        ),
      )
    },
  }
}
