import type {AnswerAttempt} from '#contract/answer-details.ts'

/** Seconds from the question to the end of an attempt, and to its beginning; absent while it has none. */
export function attemptTimes({created_at, started_at, finished_at}: AnswerAttempt): {
  waited: number | undefined
  took: number | undefined
} {
  const since = (end: string | null | undefined) => {
    const seconds = (Date.parse(end ?? '') - Date.parse(created_at)) / 1_000
    return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
  }
  return {waited: since(started_at), took: since(finished_at)}
}
