/** A cache for each user, filled and removed by the page (browser/seen-files.ts). */
const prefix = 'atrium-files '

/** Addresses of uploads and results; a part of one (a video that plays) is the server's. */
export const isSeenFile = ({method, url, headers}: Request): boolean =>
  method === 'GET' && /\/api\/v1\/files\/[^/]+\/[^/]+$/.test(new URL(url).pathname) && !headers.has('range')

/** A file that the user saw before: what is under its address never changes. */
export async function seenFile({url}: Request): Promise<Response | undefined> {
  for (const cacheName of await caches.keys()) {
    const file = cacheName.startsWith(prefix) ? await caches.match(url, {cacheName, ignoreVary: true}) : undefined
    if (file !== undefined) return file
  }
  return undefined
}
