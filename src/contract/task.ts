import {aiErrorBody} from './errors.ts'
import {identifier, optional, z} from './schema.ts'

/** Makes a field absent when another server gives it in another form; no flow needs it. */
const lenient = <T extends z.core.SomeType>(schema: T) => z.catch(z.optional(schema), undefined)

/** The common fields of generation tasks (spec §3, `contract/media` §1.5). Times are unix seconds with fractions. */
export const task = z.looseObject({
  id: identifier,
  type: optional(z.string()),
  created_at: z.number(),
  started_at: optional(z.number()),
  finished_at: optional(z.number()),
  elapsed: optional(z.number()),
  application_id: optional(identifier),
  credential_id: optional(identifier),
  user_id: optional(identifier),
  trace_id: optional(z.string()),
  /** Credits that were put aside for it and, since it ended, what was charged of them; the rest went back (ours). */
  credits: lenient(z.object({held: z.number(), settled: optional(z.number())})),
  request: optional(z.looseObject({})),
  response: optional(
    z.looseObject({
      success: optional(z.boolean()),
      task_id: optional(identifier),
      trace_id: lenient(z.string()),
      /** In percent, while it runs. */
      progress: lenient(z.number()),
      /** The provider that made the result, and whether it was the sandbox (ours). */
      provider: lenient(z.string()),
      sandbox: lenient(z.boolean()),
      /** Why a failed task failed (ours): stopped by the user, cut off, or refused. */
      outcome: lenient(z.string()),
      error: optional(aiErrorBody.shape.error),
    }),
  ),
})
export type Task = z.infer<typeof task>
