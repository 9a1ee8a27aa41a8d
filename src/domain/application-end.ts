/** Days before its end from which an application is said to expire soon (design/screens §5). */
const soonDays = 7
const dayMs = 86_400_000

/** How near the end of an application is. `now` in Unix milliseconds; an unreadable date counts as none. */
export function applicationEnd(
  {expired_at}: {expired_at?: string | null | undefined},
  now: number,
): 'never' | 'later' | 'soon' | 'expired' {
  const end = expired_at == null ? Number.NaN : Date.parse(expired_at)
  if (Number.isNaN(end)) return 'never'
  if (end <= now) return 'expired'
  return end - now < soonDays * dayMs ? 'soon' : 'later'
}
