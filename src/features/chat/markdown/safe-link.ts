const schemes = new Set(['https:', 'http:', 'mailto:'])

/** Removes what browsers ignore inside an address and attackers hide behind: control characters and white space. */

const clean = (address: string) =>
  address.replace(/[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '')

/**
 * The address a link may have, or nothing (security R02): https, http, mailto, or a path of this origin; parsed by the
 * browser's own rules after control characters are gone. Everything else becomes text.
 */
export function safeLink(address: string, origin: string): URL | undefined {
  const cleaned = clean(address)
  if (cleaned === '') return undefined
  if (!URL.canParse(cleaned, origin)) return undefined
  const url = new URL(cleaned, origin)
  if (!schemes.has(url.protocol)) return undefined
  if (url.protocol !== 'mailto:' && !/^https?:/i.test(cleaned) && url.origin !== origin) return undefined
  return url
}

const addressLike = /^(?:https?:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\p{N}_-]+\.)+[\p{L}]{2,})(?::\d+)?(?:[/?#]|$)/iu

/** The host a text names when it looks like an address. */
function namedHost(text: string): string | undefined {
  const trimmed = text.trim()
  const match = addressLike.exec(trimmed)
  if (match === null) return undefined
  const withScheme = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
  return URL.canParse(withScheme) ? new URL(withScheme).host : match[1]?.toLowerCase()
}

const withoutWww = (host: string) => host.replace(/^www\./, '')

/** The real host of a link whose text looks like the address of another one, to be shown beside it (security R02). */
export function hostToReveal(text: string, url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') return url.host
  const named = namedHost(clean(text.trim().replace(/\s.*$/s, '')))
  if (named === undefined || url.protocol === 'mailto:') return undefined
  return withoutWww(named) === withoutWww(url.host) ? undefined : url.host
}
