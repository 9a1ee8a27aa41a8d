import {backoffDelay} from './backoff.ts'

/** When running tasks are asked for (security R47, R50, R53). Milliseconds, but for `…After` in seconds. */
export const pollRules = {
  /** Between an answer and the next question, while the page is seen. */
  visible: 3_000,
  hidden: 60_000,
  /** Tasks that run for so long are asked for at the slow pace only, and after a day hardly ever. */
  stalledAfter: 15 * 60,
  stalled: 30_000,
  forgottenAfter: 24 * 60 * 60,
  forgotten: 10 * 60_000,
  /** Failures in a row after which contact counts as lost; then one try after each `rest`. */
  breaker: 5,
  rest: 30_000,
  /** Ids of one question (security R34). */
  most: 100,
  /** How often a task must be missing, by its own id, before it is gone. */
  misses: 2,
  /** Without word from the tab that polls for all, beyond the time it named. */
  silence: 10_000,
} as const

/** `age`: seconds since the youngest running task was made. */
export type PollPace = {isHidden: boolean; age: number}

/** Time until the next question, from the moment the last one was answered. */
export const pollInterval = ({isHidden, age}: PollPace) => {
  const pace =
    age > pollRules.forgottenAfter
      ? pollRules.forgotten
      : age > pollRules.stalledAfter
        ? pollRules.stalled
        : pollRules.visible
  return isHidden ? Math.max(pace, pollRules.hidden) : pace
}

/** @param random in [0, 1): full jitter, so that a server that comes back is not met by all at once */
export const pollBackoff = (failures: number, random: number) =>
  failures >= pollRules.breaker
    ? pollRules.rest * (0.5 + random / 2)
    : pollRules.visible + backoffDelay(failures, random)

/** Whether a task that still runs takes longer than any should. Times in unix seconds of the server's clock. */
export const isStalled = (createdAt: number, now: number) => now - createdAt > pollRules.stalledAfter
