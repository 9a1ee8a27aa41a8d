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

/** What a reader sees: compatible forms are one, what has no shape of its own is gone, every kind of dot is a dot. */
const visible = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu, '')
    .replaceAll('。', '.')

/** A name between the punctuation of a sentence, with its scheme and port, and whether a path follows. */
const name =
  /(https?:[\\/]+)?([\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_])?)(:\d+(?![\p{L}\p{N}]))?([\\/?#])?/giu
const hasTopLevel = /\.(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)$/iu
const isNumbers = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** Endings of files that are no top-level domain: `file.txt` on its own is a file, `notes.md` may be a host in Moldova. */
const isFile = /\.(?:txt|pdf|json|html?|m?js|jsx|tsx?|css|xml|csv|png|jpe?g|gif|svg|webp|docx|xlsx|ya?ml|toml)$/i

/** The hosts a text names, anywhere in it: with a scheme, or shaped like an address. */
function* namedHosts(text: string): Generator<string> {
  for (const word of visible(text).split(/\s+/)) {
    for (const [, scheme, host = '', port = '', path] of word.matchAll(name)) {
      const bare = scheme === undefined && port === '' && path === undefined
      const isAddress = scheme !== undefined || hasTopLevel.test(host) || isNumbers.test(host)
      if (!isAddress || (bare && isFile.test(host))) continue
      const address = `${/^http:/i.test(scheme ?? '') ? 'http' : 'https'}://${host}${port}`
      yield URL.canParse(address) ? new URL(address).host : host.toLowerCase()
      if (path !== undefined) break
    }
  }
}

const withoutWww = (host: string) => host.replace(/^www\./, '')

/** The real host of a link whose text names another one, to be shown beside it (security R02). */
export function hostToReveal(text: string, url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') return url.host
  if (url.protocol === 'mailto:') return undefined
  const real = withoutWww(url.host)
  for (const host of namedHosts(text)) if (withoutWww(host) !== real) return url.host
  return undefined
}
