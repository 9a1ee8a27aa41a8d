import {eq} from 'drizzle-orm'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Config} from '../config.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest} from '../http/failure.ts'
import type {JobTask} from '../jobs/jobs.ts'
import {platformBase} from '../platform/addresses.ts'
import {postCallback, type OutboundPorts} from '../providers/outbound.ts'
import {rowIdOf} from '../runs/run-store.ts'
import {tasks} from '../store/schema/media.ts'
import {taskRuns} from './task-store.ts'
import {responseOf} from './task-view.ts'

const deadlineMilliseconds = 5_000

/**
 * The address that may be called when a task ends: one whose origin the operator has listed (security R27). Any other
 * is accepted and never called; the client finds its task by asking.
 */
export function allowedCallback({callbackOrigins}: Config, address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const isAllowed = url.username === '' && url.password === '' && callbackOrigins.includes(url.origin)
  return isAllowed ? url.href : undefined
}

/**
 * Refuses text that is not a web address. Empty text means no address.
 *
 * @throws HttpFailure 400
 */
export function checkCallback(address: string | undefined): void {
  if (address === undefined || address === '') return
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw badRequest('fieldAddress', 'callback_url')
}

/** Posts a task's final answer to its callback. A refusal fails the job, which is then tried again a few times. */
export const createCallbackTask =
  (deps: ServerDeps, tools: readonly MediaTool[], ports: OutboundPorts): JobTask =>
  async (payload, {signal}) => {
    const taskId = rowIdOf(taskRuns, payload)
    const [row] = await deps.database.asSystem((transaction) =>
      transaction.select().from(tasks).where(eq(tasks.id, taskId)),
    )
    // The origin is asked again: the operator may have taken it off the list.
    const address = allowedCallback(deps.config, row?.callbackUrl ?? undefined)
    if (row === undefined || address === undefined) return
    const body = responseOf(tools, row, platformBase(deps.config, undefined))
    const limits = AbortSignal.any([signal, AbortSignal.timeout(deadlineMilliseconds)])
    const status = await postCallback({address, body, signal: limits}, ports)
    if (status < 200 || status >= 300) throw new Error(`The callback answered with ${status}`)
  }
