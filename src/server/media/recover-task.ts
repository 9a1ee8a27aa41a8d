import type {MediaRegistry} from '../providers/media-registry.ts'
import type {ServerDeps} from '../deps.ts'
import type {FailedEnd} from '../runs/failed-end.ts'
import {handOver, takeRun} from '../runs/run-store.ts'
import {dropArtifacts} from './artifacts.ts'
import {endAndCallBack, type EndTaskParts} from './end-task.ts'
import {canGoOn, interruptedEnd, type RunTaskParts} from './run-task.ts'
import {taskRuns, type TaskRow} from './task-store.ts'

/** A task whose worker died this often is not tried again. A claim and a release raise the fence by one each. */
const mostRuns = 4

export type RecoverTaskParts = EndTaskParts & {deps: ServerDeps; registry: MediaRegistry}

/**
 * Goes on with a task whose worker is gone: by the provider's job where there is one, from the start where that costs
 * nothing. Any other task ends as interrupted.
 */
export async function recoverTask(parts: RecoverTaskParts, row: TaskRow): Promise<void> {
  const {deps} = parts
  if (row.fence >= mostRuns * 2 - 1 || !canRecover(parts, row)) return giveUpTask(parts, row, interruptedEnd)
  await deps.database.asSystem((transaction) => handOver(transaction, taskRuns, row))
}

/** Whether a task that its worker lets go can go on in another one. */
export function canRecover({registry, tools}: Pick<RunTaskParts, 'registry' | 'tools'>, row: TaskRow): boolean {
  const tool = tools.find(({identity}) => identity.service === row.service)
  return canGoOn(tool && registry.byName(tool.identity.id, row.provider), row)
}

/** Ends an open task in whichever process it runs, and refunds its hold. */
export async function giveUpTask(parts: RecoverTaskParts, row: TaskRow, end: FailedEnd): Promise<void> {
  const hasEnded = await parts.deps.database.asSystem(async (transaction) => {
    const run = await takeRun(transaction, taskRuns, row)
    return run && endAndCallBack(transaction, parts, run, {end, isAsked: row.startedAt !== null, isCharged: false})
  })
  if (hasEnded !== undefined) await dropArtifacts(parts.deps, row)
}
