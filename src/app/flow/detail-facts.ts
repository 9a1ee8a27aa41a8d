import type {AnswerDetailsSnapshot} from '#machines/answer-details/answer-details.machine.ts'

/** The facts of an answer that the server keeps beside its message, as on the wire; or why they could not be read. */
export function detailFacts({context: {details, failure}}: Pick<AnswerDetailsSnapshot, 'context'>, attempt?: number) {
  if (failure !== undefined) return {details: failure.code}
  const own = details?.attempts.find((each) => each.attempt === attempt) ?? details?.attempts.at(-1)
  if (own === undefined) return {}
  const {trace_id, created_at, started_at, finished_at, prompt_tokens, completion_tokens, cost} = own
  return {trace_id, created_at, started_at, finished_at, prompt_tokens, completion_tokens, cost}
}
