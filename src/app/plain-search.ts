/*
 * Query strings as they stand: the router's own form would read `code=123` as a number and write text with quotes, and
 * so rewrite addresses that other services made. A key that is there more than once keeps all its values.
 */
export function parseSearch(query: string): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>()
  for (const [key, value] of new URLSearchParams(query)) {
    const before = values.get(key)
    values.set(key, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(values)
}

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([key, values]) =>
    [values]
      .flat()
      .filter((value) => typeof value === 'string' || typeof value === 'number')
      .map((value) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
