import type {MediaPlan, MediaTool} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {withAddresses} from './file-marks.ts'
import {findOperation, type FoundOperation} from './operations.ts'
import type {TaskRow} from './task-store.ts'

/** The operation of a task, and its reading of the request at the submit, with whole addresses of our files. */
export type PlannedTask = FoundOperation & {body: Record<string, unknown>; plan: MediaPlan}

/** `undefined` after an update that took the tool or its operation away. */
export function plannedTask(tools: readonly MediaTool[], row: TaskRow, base: string): PlannedTask | undefined {
  const toolOperation = findOperation(tools, row)
  if (toolOperation === undefined) return undefined
  if (row.body !== null && row.plan !== null) {
    const plan = withAddresses(row.plan, base) as MediaPlan // as: only texts inside of it change
    return {...toolOperation, body: withAddresses(row.body, base), plan}
  }
  // Tasks that were accepted before migration 0008 have neither.
  const parsing = z.safeParse(toolOperation.operation.body, withAddresses(row.request, base))
  if (!parsing.success) return undefined
  // as: bodies of operations are objects, as their requests were
  return {
    ...toolOperation,
    body: parsing.data as Record<string, unknown>,
    plan: toolOperation.operation.plan(parsing.data),
  }
}
