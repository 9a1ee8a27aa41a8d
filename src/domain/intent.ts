import {z} from '#contract/schema.ts'

const intent = z.object({
  key: z.string().check(z.minLength(1)),
  tool: z.string(),
  submission: z.object({operation: z.string(), body: z.record(z.string(), z.unknown())}),
  at: z.number(),
  sentAt: z.optional(z.number()),
  form: z.optional(z.record(z.string(), z.unknown())),
})

/**
 * A request that was meant, stored before it is sent (security R45): the same key is the same task. `at` in unix
 * seconds of the server's clock; `sentAt`: when it was last sent, later after a retry. `form`: the settings it came
 * from, for "Edit and retry".
 */
export type Intent = z.infer<typeof intent>

/** An intent as it is stored. `state`: the server refused the request, so that it is never sent again by itself. */
export const storedIntent = z.object({
  ...intent.shape,
  // earlier versions stored other states too: each of them means that the request is on its way
  state: z.catch(z.optional(z.enum(['rejected', 'usedUp'])), undefined),
  failure: z.optional(
    z.object({
      code: z.string(),
      detail: z.string(),
      status: z.optional(z.number()),
      traceId: z.optional(z.string()),
      field: z.optional(z.string()),
      needed: z.optional(z.string()),
      available: z.optional(z.string()),
      lost: z.optional(z.boolean()),
    }),
  ),
})
export type StoredIntent = z.infer<typeof storedIntent>
