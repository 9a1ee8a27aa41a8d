/*
 * Reads and writes query strings literally. The router's own format would read `code=123` as a number and quote text,
 * and so rewrite addresses of other services. A repeated key keeps all its values.
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
