import {aiErrorBody} from './errors.ts'
import {identifier, optional, paged, z} from './schema.ts'

/** What every generation task has in common (spec §3, `contract/media` §1.5). Times are unix seconds with fractions. */
export const task = z.looseObject({
  id: identifier,
  type: optional(z.string()),
  created_at: z.number(),
  started_at: optional(z.number()),
  finished_at: optional(z.number()),
  elapsed: optional(z.number()),
  application_id: optional(identifier),
  user_id: optional(identifier),
  trace_id: optional(z.string()),
  request: optional(z.looseObject({})),
  response: optional(
    z.looseObject({
      success: optional(z.boolean()),
      task_id: optional(identifier),
      error: optional(aiErrorBody.shape.error),
    }),
  ),
})
export type Task = z.infer<typeof task>
export const taskPage = paged(task)
