import type {MediaTool, ToolRequest} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'

/** Fields that servers add to a request when they tell it back. */
const echoedFields = new Set(['callback_url', 'async'])

/**
 * The request of a task as it can be sent again. Undefined when no operation of the tool takes it, or when several that
 * make tasks of its type do: a guess would make, and charge for, something else than was asked for.
 */
export function sameAgain(
  tool: Pick<MediaTool, 'operations'>,
  {request, type}: Pick<Card, 'request' | 'type'>,
): ToolRequest | undefined {
  const body = Object.fromEntries(
    Object.entries(request).filter(([key, value]) => value !== null && value !== undefined && !echoedFields.has(key)),
  )
  const fitting = Object.entries(tool.operations).filter(([, {body: schema}]) => z.safeParse(schema, body).success)
  const ofType = fitting.filter(([, {taskType}]) => taskType === type)
  const [operation, other] = ofType.length === 0 ? fitting.slice(0, 1) : ofType
  return operation === undefined || other !== undefined ? undefined : {operation: operation[0], body}
}
