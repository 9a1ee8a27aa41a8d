import {backoffDelay} from './backoff.ts'

/** When to poll running tasks (security R47, R50, R53). Milliseconds, except `…After` in seconds. */
export const pollRules = {
  /** Between an answer and the next request, while the page is visible. */
  visible: 3_000,
  hidden: 60_000,
  /** Tasks that have run this long are polled at the slow pace, and after a day at the slowest. */
  stalledAfter: 15 * 60,
  stalled: 30_000,
  forgottenAfter: 24 * 60 * 60,
  forgotten: 10 * 60_000,
  /** After this many failures in a row contact counts as lost; then one try per `rest`. */
  breaker: 5,
  rest: 30_000,
  /** Most ids per request (security R34). */
  most: 100,
  /** A task is gone after this many misses by its own id. */
  misses: 2,
  /** Longest silence of the polling tab beyond the time it announced. */
  silence: 10_000,
} as const

/** `age`: seconds since the youngest running task was created. */
export type PollPace = {isHidden: boolean; age: number}

/** Time from the last answer to the next request. */
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

/** Whether a running task takes longer than expected. Times in unix seconds of the server's clock. */
export const isStalled = (createdAt: number, now: number) => now - createdAt > pollRules.stalledAfter
