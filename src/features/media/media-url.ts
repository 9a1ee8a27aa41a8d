/**
 * An address a result may be shown or opened from, or undefined. What a model or a server sends is data: only web
 * addresses and the page's own blobs become a source or a link (security R01, R03).
 */
export function safeUrl(
  url: string | undefined,
  base: string = globalThis.location?.href ?? 'http://localhost',
): string | undefined {
  if (url === undefined || url === '') return undefined
  try {
    const parsed = new URL(url, base)
    return ['http:', 'https:', 'blob:'].includes(parsed.protocol) ? parsed.href : undefined
  } catch {
    return undefined
  }
}

/** A film where its first picture stands: without a time some browsers show nothing before it plays. */
export const stillOf = <Url extends string | undefined>(url: Url) => url && `${url}#t=0.001`

/** The address of another attempt at a result that could not be loaded (contract/media §3); blobs have one address. */
export function retryUrl(url: string, attempt: number): string {
  if (attempt === 0 || url.startsWith('blob:')) return url
  const parsed = new URL(url)
  parsed.searchParams.set('retry', String(attempt))
  return parsed.href
}
