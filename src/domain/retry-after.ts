/** Nobody waits longer on a server's word. Seconds. */
const longest = 300

/** Seconds that a `Retry-After` asks for, as a number or a date; `undefined` when it says nothing. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(longest, Math.max(0, seconds)) : undefined
}
