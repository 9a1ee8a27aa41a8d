import {messageOutcomes, wireId} from './chat.ts'
import {identifier, optional, z} from './schema.ts'

/* The answer on the wire: what a stream of the chat's endpoint brings. Loaded with the first stream. */

/** One object of an answer: a `data:` line of the event stream, or one ndjson line. */
export const answerFrame = z.object({
  id: optional(wireId),
  delta_answer: optional(z.string()),
  answer: optional(z.string()),
  /** Ours, in the first frame: the assistant message and attempt the deltas belong to. */
  message: optional(wireId),
  attempt: optional(z.number()),
  /** Ours, beside `message`: the question that is answered. */
  question: optional(z.string()),
  provider: optional(z.string()),
  sandbox: optional(z.boolean()),
  type: optional(z.string()),
  code: optional(z.union([z.string(), z.number()])),
  status: optional(z.number()),
  error: optional(
    z.union([z.string(), z.object({code: optional(z.union([z.string(), z.number()])), message: optional(z.string())})]),
  ),
  outcome: optional(z.enum(messageOutcomes)),
  /** Ours, in the last line of an ndjson answer: `finished`. */
  state: optional(z.string()),
})
export type AnswerFrame = z.infer<typeof answerFrame>

/** The last data of an event stream; only this marks an answer as finished. */
export const doneMarker = '[DONE]'

/**
 * One object of a `follow` (our extension): each frame names its answer, since one stream carries all running answers
 * of a user. The first frame of an answer has `provider` and, as `seq`, the number after which it continues; its last
 * frame has `state`. A named answer that cannot be followed any more fails without an `outcome`.
 */
export const followFrame = z.object({
  id: identifier,
  message: identifier,
  attempt: z.number(),
  seq: z.number(),
  delta_answer: optional(z.string()),
  provider: optional(z.string()),
  sandbox: optional(z.boolean()),
  state: optional(z.enum(['finished', 'failed'])),
  outcome: optional(z.enum(messageOutcomes)),
  error: optional(z.object({code: z.string(), message: optional(z.string())})),
})
export type FollowFrame = z.infer<typeof followFrame>
