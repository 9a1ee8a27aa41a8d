/** A cache for each user, by id; the service worker answers from it (service-worker/seen-files.ts). */
const prefix = 'atrium-files '

/** Bytes of all files that are kept for a user, and of one of them. */
const most = 50_000_000
const mostOfOne = 10_000_000
/** Milliseconds after which a file that is seen again counts as newly seen. */
const renewal = 24 * 60 * 60 * 1000

const timeHeader = 'x-seen-at'
const sizeHeader = 'content-length'
const timeOf = ({headers}: Response) => Number(headers.get(timeHeader) ?? 0)
const sizeOf = ({headers}: Response) => Number(headers.get(sizeHeader) ?? 0)

/** When the kept files were seen, and their bytes, by address. Files of other tabs are added as they are found. */
type Index = Map<string, {at: number; size: number}>

/** Keeps the files that were seen last, and removes the others. A file is looked at once: there may be thousands. */
async function trim(cache: Cache, index: Index): Promise<void> {
  const requests = await cache.keys()
  const files = await Promise.all(
    requests.map(async (request) => {
      const file = index.has(request.url) ? undefined : await cache.match(request)
      if (file !== undefined) index.set(request.url, {at: timeOf(file), size: sizeOf(file)})
      return {request, ...(index.get(request.url) ?? {at: 0, size: 0})}
    }),
  )
  let size = 0
  for (const file of files.toSorted((one, other) => other.at - one.at)) {
    size += file.size
    if (size <= most) continue
    index.delete(file.request.url)
    await cache.delete(file.request)
  }
}

/** Stores a file with the time at which it was seen; the browser has it from showing it. */
async function store(cache: Cache, url: string, index: Index): Promise<void> {
  const keptFile = await cache.match(url)
  if (keptFile !== undefined && Date.now() - timeOf(keptFile) < renewal) return
  const answer = keptFile ?? (await fetch(url, {credentials: 'omit', cache: 'force-cache'}))
  // the video that the user saves is not loaded a second time
  if (!answer.ok || sizeOf(answer) > mostOfOne) return answer.body?.cancel()
  const content = await answer.blob()
  if (content.size > mostOfOne) return
  const headers = new Headers(answer.headers)
  headers.delete('content-encoding') // it is decoded
  const at = Date.now()
  headers.set(sizeHeader, String(content.size))
  headers.set(timeHeader, String(at))
  await cache.put(url, new Response(content, {headers}))
  index.set(url, {at, size: content.size})
  await trim(cache, index)
}

/** Removes the files of all users but this one. */
async function removeOthers(owner: string | undefined): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== `${prefix}${owner}`)
  await Promise.all(names.map((name) => caches.delete(name)))
}

type SeenFilesPorts = {
  /** Whether the address is that of a file of our own. */
  isOwn: (url: string) => boolean
  onFailure: (error: unknown) => void
}

/**
 * Keeps the images that the user sees and the files that the user opens for the time without a network: the newest 50
 * MB, those of one user alone (security R16). `follow` says whose they are, as often as it likes; undefined: no user.
 */
export function keepSeenFiles({isOwn, onFailure}: SeenFilesPorts): {follow: (userId: string | undefined) => void} {
  /** Absent until it is known. */
  let owner: {id: string | undefined; index: Index} | undefined
  // one after the other: what is removed at a sign-out does not come back
  let work = Promise.resolve()
  const queue = (task: () => Promise<void>) => {
    work = work.then(task).catch(onFailure)
  }
  const keep = (url: string) => {
    const seenBy = owner
    if (seenBy?.id === undefined || !isOwn(url)) return
    queue(async () => {
      if (seenBy === owner) await store(await caches.open(`${prefix}${seenBy.id}`), url, seenBy.index)
    })
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry instanceof PerformanceResourceTiming && entry.initiatorType === 'img') keep(entry.name)
  }).observe({type: 'resource', buffered: true})
  document.addEventListener('click', ({target}) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link !== null) keep(link.href)
  })
  return {
    follow(userId) {
      if (owner !== undefined && owner.id === userId) return
      owner = {id: userId, index: new Map()}
      queue(() => removeOthers(userId))
    },
  }
}
