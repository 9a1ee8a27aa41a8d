/** Addresses that only the person's own link reaches: devices beside them, and the metadata of a cloud's machines. */
const linkLocal = /^169\.254\.\d+\.\d+$|^\[fe[89ab][0-9a-f]:|^\[::ffff:a9fe:/i

/** Begins with two slashes of either kind, as a browser reads it: another host, in the scheme of the page. */
const schemeRelative = /^[\u0000-\u0020]*[\\/][\t\n\r]*[\\/]/

/**
 * The whole address of a result, or undefined. What a model or a server sends is data: only web addresses and the page's
 * own blobs become a source, a link or the input of another request (security R01, R03), and none that leads to the
 * person's own link, unless the page itself came from there.
 */
export function resultAddress(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address === '' || schemeRelative.test(address) || !URL.canParse(address, base))
    return undefined
  const url = new URL(address, base)
  if (!['http:', 'https:', 'blob:'].includes(url.protocol)) return undefined
  return linkLocal.test(url.hostname) && url.origin !== new URL(base).origin ? undefined : url.href
}
