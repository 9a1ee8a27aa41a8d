/** The address that a login may send its code to: the page that starts it, its origin and the state it asked for. */
export type RedirectUri = {href: string; origin: string}

const loopbackLiteral = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
// C0, DEL, C1 and the characters that browsers repair into another address
const unsafe = /[\u0000-\u0020\u007f-\u009f\\]/

/**
 * An origin written exactly as a browser states it, else `undefined`: `https://host[:port]` without a path, user or
 * trailing slash.
 */
export function parseOrigin(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 512 || unsafe.test(text) || !URL.canParse(text)) return undefined
  const {origin, protocol} = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && origin === text ? origin : undefined
}

/** A page on plain loopback: the one target for which any port is as good (security R10, RFC 8252 §7.3). */
export const isLoopbackLiteral = (origin: string): boolean => loopbackLiteral.test(origin)

/**
 * The page continues to its own `redirect` value: a foreign one would make the callback an open redirect (R12).
 */
function staysOnOrigin(inner: string | null, origin: string): boolean {
  if (inner === null) return true
  if (!inner.startsWith('/') || inner.length > 2048 || /[\u0000-\u001f\u007f-\u009f\\]/.test(inner)) return false
  if (!URL.canParse(inner, origin)) return false
  const url = new URL(inner, origin)
  return url.origin === origin && !url.pathname.startsWith('//')
}

/**
 * The redirect rule of security R10 without the list of origins: exactly `<origin>/auth/callback`, no user, no
 * fragment, and `redirect` and `state` at most once each as the only query keys. The caller checks the origin.
 */
export function parseRedirectUri(text: string): RedirectUri | undefined {
  if (text.length > 4096 || unsafe.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.username !== '' || url.password !== '' || url.hash !== '' || text.includes('#')) return undefined
  // the parser resolves `..` and repairs slashes; the text must already say what the parser says
  if (!text.startsWith(`${url.origin}/auth/callback`) || url.pathname !== '/auth/callback') return undefined
  const keys = [...url.searchParams.keys()]
  if (keys.some((key) => key !== 'redirect' && key !== 'state') || new Set(keys).size !== keys.length) return undefined
  if (!staysOnOrigin(url.searchParams.get('redirect'), url.origin)) return undefined
  return {href: url.href, origin: url.origin}
}

/** The redirect with the answer of the login added; `state` replaces an equal one that rode inside. */
export function withCode({href}: RedirectUri, code: string, state: string | undefined): string {
  const url = new URL(href)
  url.searchParams.set('code', code)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}
