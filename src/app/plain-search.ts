/*
 * Query strings as they stand: the router's own form would read `code=123` as a number and write text with quotes, and
 * so rewrite addresses that other services made.
 */
export const parseSearch = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query))

export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'string' || typeof value === 'number') query.set(key, String(value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
