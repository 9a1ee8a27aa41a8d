const schemes = new Set(['https:', 'http:', 'mailto:'])

/** Control characters and white space, which browsers ignore in an address and attackers exploit. */
const unwanted = /[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** Characters that names of files and pages have, which the browser encodes. */
const joining = /[ \u200c\u200d]/

/**
 * The safe address of a link, or undefined (security R02): https, http, mailto, or a path of this origin, parsed by the
 * browser after control characters are removed. Other addresses become text.
 */
export function safeLink(address: string, origin: string): URL | undefined {
  const cleanAddress = address.replace(unwanted, '')
  if (cleanAddress === '') return undefined
  if (!URL.canParse(cleanAddress, origin)) return undefined
  const url = new URL(cleanAddress, origin)
  if (!schemes.has(url.protocol)) return undefined
  if (url.protocol !== 'mailto:' && !/^https?:/i.test(cleanAddress) && url.origin !== origin) return undefined
  return joining.test(address) ? withJoining(address, origin, url) : url
}

/** The address with the joining characters that stand behind its host. */
function withJoining(address: string, origin: string, url: URL): URL {
  const exactAddress = address.trim().replace(unwanted, (character) => (joining.test(character) ? character : ''))
  if (!URL.canParse(exactAddress, origin)) return url
  const exactUrl = new URL(exactAddress, origin)
  const isSame = exactUrl.protocol === url.protocol && exactUrl.host === url.host && exactUrl.username === url.username
  return isSame ? exactUrl : url
}

/** Normalizes text to its visible form: one form per compatible character, no invisible characters, one kind of dot. */
const visible = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu, '')
    .replaceAll('。', '.')

/** A host name within a sentence, with optional scheme and port, and whether a path follows. */
const name =
  /(https?:[\\/]+)?([\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_])?)(:\d+(?![\p{L}\p{N}]))?([\\/?#])?/giu
const hasTopLevel = /\.(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)$/iu
const isNumbers = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** File extensions that are not top-level domains: `file.txt` is a file, but `notes.md` may be a host in Moldova. */
const isFile = /\.(?:txt|pdf|json|html?|m?js|jsx|tsx?|css|xml|csv|png|jpe?g|gif|svg|webp|docx|xlsx|ya?ml|toml)$/i

/** All host names in a text: with a scheme, or shaped like an address. */
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

/** The real host of a link whose text names another one; show it beside the link (security R02). */
export function hostToReveal(text: string, url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') return url.host
  if (url.protocol === 'mailto:') return undefined
  const real = withoutWww(url.host)
  for (const host of namedHosts(text)) if (withoutWww(host) !== real) return url.host
  return undefined
}
