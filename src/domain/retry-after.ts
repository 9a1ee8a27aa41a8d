/** Longest accepted wait in seconds. */
const longest = 300

/** Seconds of a `Retry-After` header, given as a number or a date; `undefined` if it has neither. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(longest, Math.max(0, seconds)) : undefined
}
