import {amount, optional, z} from './schema.ts'

/** How one answer came about. Ours, only if the page's configuration offers `answers`: `GET /answers/{message}`. */
const answerAttempt = z.object({
  attempt: z.number(),
  state: z.string(),
  outcome: optional(z.string()),
  /** Code of the failure. */
  error: optional(z.string()),
  model: z.string(),
  /** ISO 8601. */
  created_at: z.string(),
  started_at: optional(z.string()),
  finished_at: optional(z.string()),
  prompt_tokens: optional(z.number()),
  completion_tokens: optional(z.number()),
  /** The provider did not count: the tokens are estimated by their text. */
  tokens_estimated: optional(z.boolean()),
  /** Credits that were charged. */
  cost: optional(amount),
  trace_id: optional(z.string()),
})
export type AnswerAttempt = z.infer<typeof answerAttempt>
/** Oldest first. */
export const answerDetails = z.object({attempts: z.array(answerAttempt)})
export type AnswerDetails = z.infer<typeof answerDetails>
