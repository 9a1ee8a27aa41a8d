import type {Medium} from '#contract/media/media-tool.ts'
import {platformBase} from '../platform/addresses.ts'
import {ProviderFailure} from '../providers/provider.ts'
import {handOver} from '../runs/run-store.ts'
import {retryForAMinute} from '../work/retry.ts'
import {whileAway} from '../work/retry-while-away.ts'
import {dropArtifacts} from './artifacts.ts'
import {endAndCallBack} from './end-task.ts'
import {plannedTask} from './planned-task.ts'
import {createProgressWriter} from './progress-writer.ts'
import {runTask, type RunResult, type RunTaskParts, type TaskEndReason} from './run-task.ts'
import {storeFacts, taskRuns, type TaskRow} from './task-store.ts'

const minute = 60_000
/** Longest time of a task by its medium; an overdue task is not charged (security R54). */
export const deadlines: Record<Medium, number> = {
  image: 15 * minute,
  text: 10 * minute,
  audio: 20 * minute,
  video: 45 * minute,
}
const longestDeadline = Math.max(...Object.values(deadlines))
/** An interrupted task gets at least this long after a restart. */
const secondChance = 5 * minute

/** The work of a claimed task: has it made within its deadline, stores progress, provider job and end. */
export async function performTask(parts: RunTaskParts, row: TaskRow, controller: AbortController): Promise<void> {
  const {deps, timers} = parts
  const {database, log, now} = deps
  const abort = (reason: TaskEndReason) => controller.abort(reason)
  const elapsedTime = row.startedAt === null ? 0 : now().getTime() - row.startedAt.getTime()
  const stopClock = timers.after(Math.max(secondChance, deadlineOf(parts, row) - elapsedTime), () => abort('deadline'))
  const writer = createProgressWriter({database, timers, log}, row, () => abort('lost'))
  const result = await runTask(parts, {
    row,
    signal: controller.signal,
    onProgress: writer.report,
    storeJob: async (providerJob) => {
      // for a drain, which hands over what has a job
      row.providerJob = providerJob
      const isOurs = await whileAway({timers, log}, controller.signal, () =>
        database.asSystem((transaction) => storeFacts(transaction, row, {providerJob})),
      )
      if (!isOurs) {
        abort('lost')
        throw new ProviderFailure('canceled', 'The task was stopped.')
      }
    },
  })
  stopClock()
  await writer.close()
  await retryForAMinute({timers, log}, 'ending a task', () => storeEnd(parts, row, result))
}

async function storeEnd({deps, tools}: RunTaskParts, row: TaskRow, result: RunResult): Promise<void> {
  const {database, now} = deps
  if (result === 'lost') return
  if (result === 'released') {
    await database.asSystem((transaction) => handOver(transaction, taskRuns, row))
    return
  }
  const isCharged = result.end.state === 'succeeded'
  const endedRow = await database.asSystem((transaction) =>
    endAndCallBack(transaction, {tools, now}, row, {...result, isCharged}),
  )
  if (endedRow !== undefined && !isCharged) await dropArtifacts(deps, row)
}

/** By the medium of the operation and not by the tool: midjourney makes videos as well, suno texts. */
function deadlineOf({tools, deps}: RunTaskParts, row: TaskRow): number {
  const plan = plannedTask(tools, row, platformBase(deps.config, undefined))
  return plan ? deadlines[plan.plan.medium] : longestDeadline
}
