import {z} from './schema.ts'

/**
 * Body of a failed call to the AI host: `{error: {code, message}, trace_id}`, and inside `error` from ours `field`, and
 * with `used_up` `application_id`, `needed` and `available` (exact decimals such as `0.250000`); the older `{code,
 * detail}` is read too.
 */
export const aiErrorBody = z.object({
  error: z.object({
    code: z.optional(z.coerce.string()),
    message: z.optional(z.string()),
    field: z.catch(z.optional(z.string()), undefined),
    needed: z.catch(z.optional(z.string()), undefined),
    available: z.catch(z.optional(z.string()), undefined),
  }),
  trace_id: z.optional(z.string()),
  success: z.optional(z.boolean()),
})
