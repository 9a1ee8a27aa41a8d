/** The one retry policy of the client (security R52). Times in milliseconds. */
export const backoff = {base: 500, cap: 30_000, attempts: 5} as const

/**
 * Full jitter: a time between 0 and the exponential ceiling of the attempt.
 * @param attempt 0 for the first retry
 * @param random in [0, 1), injected so that a chart and its tests stay deterministic
 */
export const backoffDelay = (attempt: number, random: number) =>
  Math.round(Math.min(backoff.cap, backoff.base * 2 ** Math.max(0, attempt)) * random)

/** Whether to retry a call after `attempt` tries; writes only if the server recognizes a repeat. */
export const mayRetry = (attempt: number, kind: 'read' | 'write', hasKey = false) =>
  attempt < backoff.attempts && (kind === 'read' || hasKey)
