/** Link-local addresses: only the user's own network reaches them (devices nearby, a cloud's metadata service). */
const linkLocal = /^169\.254\.\d+\.\d+$|^\[fe[89ab][0-9a-f]:|^\[::ffff:a9fe:/i

/** Begins with two slashes of either kind: browsers read it as another host with the page's scheme. */
const schemeRelative = /^[\u0000-\u0020]*[\\/][\t\n\r]*[\\/]/

/**
 * The absolute address of a result, or undefined. Addresses from models and servers are untrusted: only web addresses
 * and the page's own blobs become a source, a link or the input of another request (security R01, R03). Link-local
 * addresses are refused unless the page itself came from there.
 */
export function resultAddress(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address === '' || schemeRelative.test(address) || !URL.canParse(address, base))
    return undefined
  const url = new URL(address, base)
  if (!['http:', 'https:', 'blob:'].includes(url.protocol)) return undefined
  return linkLocal.test(url.hostname) && url.origin !== new URL(base).origin ? undefined : url.href
}
