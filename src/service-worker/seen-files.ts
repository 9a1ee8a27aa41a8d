/** A cache for each user, filled and removed by the page (browser/seen-files.ts). */
const prefix = 'atrium-files '
/** Uploads and results. */
const filePath = /\/api\/v1\/files\/[^/]+\/[^/]+$/

async function readCaches(): Promise<ReadonlySet<string>> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix))
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
  return new Set(requests.flat().map(({url}) => url))
}

/** Knows the addresses of the kept files, as of its last reading. */
export function createSeenFiles() {
  let keptAddresses: ReadonlySet<string> | undefined
  return {
    /** To be called as the worker starts, and with each page that opens, whose files it answers then. */
    read: async (): Promise<void> => {
      keptAddresses = await readCaches()
    },
    /**
     * Whether the worker answers for a file: an upload or result that is kept; a part of one (a video that plays) is
     * the server's. All others stay with the browser: the server leads images, not requests of scripts, to the store of
     * files, and no policy lets the worker load from another origin. A worker that has just started takes files that
     * open as pages, and without a network all.
     */
    has({method, url, headers, mode}: Pick<Request, 'method' | 'url' | 'headers' | 'mode'>): boolean {
      const {origin, pathname} = new URL(url)
      if (method !== 'GET' || headers.has('range') || !filePath.test(pathname)) return false
      if (!navigator.onLine) return keptAddresses?.has(url) ?? true
      return origin === location.origin && (keptAddresses?.has(url) ?? mode === 'navigate')
    },
  }
}

/** A file that the user saw before: what is under its address never changes. What cannot be read is the server's. */
export const seenFile = ({url}: Request): Promise<Response | undefined> => findSeen(url).catch(() => undefined)

async function findSeen(url: string): Promise<Response | undefined> {
  for (const cacheName of await caches.keys()) {
    const file = cacheName.startsWith(prefix) ? await caches.match(url, {cacheName, ignoreVary: true}) : undefined
    if (file !== undefined) return file
  }
  return undefined
}
