const longest = 2048
const forbidden = /[\u0000-\u001f\u007f-\u009f\\]/

/**
 * A path of this site to return to after a sign-in, or `undefined` (security R12). Refused: addresses that resolve to
 * another origin, text that only looks like a path (`/..//host`), other schemes, and the sign-in routes themselves.
 */
export function safeReturnPath(text: unknown, origin: string): string | undefined {
  if (typeof text !== 'string' || text === '' || text.length > longest || forbidden.test(text)) return undefined
  if (!URL.canParse(text, origin)) return undefined
  const url = new URL(text, origin)
  if (url.origin !== new URL(origin).origin || !/^https?:$/.test(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '' || url.pathname.startsWith('//')) return undefined
  if (/^\/auth(\/|$)/i.test(decodedPath(url.pathname))) return undefined
  return url.pathname + url.search + url.hash
}

function decodedPath(pathname: string) {
  try {
    return decodeURIComponent(pathname)
  } catch {
    // a stray % is not an escape: keep the path unchanged
    return pathname
  }
}
