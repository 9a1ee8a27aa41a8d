/** The part of the Trusted Types API used here; TypeScript's DOM types lack it. */
type TrustedTypesFactory = {
  createPolicy(name: string, rules: {createScriptURL(url: string): string}): {createScriptURL(url: string): unknown}
}

/** Scripts that our own build may load: hashed assets and the service worker, from this origin. */
const isOwnScript = (url: string, origin: string) => {
  if (!URL.canParse(url, origin)) return false
  const {origin: target, pathname} = new URL(url, origin)
  return target === origin && (pathname.startsWith('/assets/') || pathname === '/sw.js')
}

/**
 * The page's only Trusted Types policy, `app` (security R07): script URLs of our own build, and no HTML or script
 * text, so that untrusted text cannot reach a sink. Call once, before anything else runs.
 * @returns makes a URL acceptable to `new Worker(…)` and `serviceWorker.register(…)`; throws a `TypeError` on any
 * other URL
 */
export const installTrustedTypes = (
  factory: TrustedTypesFactory | undefined = (globalThis as {trustedTypes?: TrustedTypesFactory}).trustedTypes, // see the type above
  origin = location.origin,
) => {
  const createScriptURL = (url: string) => {
    if (!isOwnScript(url, origin)) throw new TypeError('Only scripts of this build may be loaded.')
    return url
  }
  const policy = factory?.createPolicy('app', {createScriptURL})
  // the DOM types know no TrustedScriptURL; consumers accept it as a string
  return {scriptUrl: (url: string) => (policy ?? {createScriptURL}).createScriptURL(url) as string}
}
