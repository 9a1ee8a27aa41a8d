import {batchFields} from './request-schema.ts'
import {identifier, z} from './schema.ts'

/*
 * Bodies of POST {api}/{service}/tasks and what may stand beside the body of a generation call, read strictly by the
 * server. They stand apart from the answers so that the client, which only sends them, does not carry the rules.
 */

/** Unix seconds, with fractions (contract/media §1.5). */
const time = z.number().check(z.minimum(0), z.maximum(100_000_000_000))

export const taskCommand = z.union([
  z.strictObject({action: z.literal('retrieve'), id: identifier}),
  z.strictObject({
    ...batchFields,
    type: z.optional(z.string().check(z.maxLength(64))),
    created_at_min: z.optional(time),
    created_at_max: z.optional(time),
  }),
  /** Ours, if `service.metadata.capabilities` offers it: takes task and files away; a running one is stopped. */
  z.strictObject({action: z.literal('delete'), id: identifier, user_id: z.optional(identifier)}),
])
export type TaskCommand = z.infer<typeof taskCommand>

/**
 * Keys that every generation call may carry beside its own body (contract/media §1.4): both keys mean "queue it and
 * answer with the task's id at once". The rest is the operation's to read.
 */
export const generationCall = z.looseObject({
  callback_url: z.optional(z.string().check(z.maxLength(2048))),
  async: z.optional(z.boolean()),
})
export type GenerationCall = z.infer<typeof generationCall>
