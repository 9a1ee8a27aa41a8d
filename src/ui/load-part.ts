/** Only a browser says that it is offline; the charts that load their parts are tested without one. */
const isOffline = () => typeof navigator !== 'undefined' && navigator.onLine === false

/** The server answers; one on this machine does so though the browser says that it is offline. */
const isServerHere = async () => {
  try {
    await fetch(location.origin, {method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(5_000)})
    return true
  } catch {
    return false
  }
}

/** Address of the script of the page, which this is part of. */
export const ownScript = import.meta.url

/** The service worker has all of this build: the script of the page is the last file that it keeps (src/service-worker). */
const isKept = async () =>
  globalThis.navigator.serviceWorker?.controller != null && (await caches.match(ownScript)) !== undefined

/** Milliseconds. Some networks take a request and never answer it, which browsers bear for minutes. */
const patience = 30_000

/** Named as browsers name a file that did not come, so that it is told as that. */
const inTime = <Part>(part: Promise<Part>) =>
  new Promise<Part>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A dynamically imported part did not come in time')), patience)
    part.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Resolves when the server can be reached, as far as the browser knows. */
async function network(): Promise<void> {
  if (await isServerHere()) return
  await new Promise<void>((resolve) => addEventListener('online', () => resolve(), {once: true}))
}

/** Style sheets that did not come. Vite asks for each of them once in the life of a page. */
const lostStyles = new Set<HTMLLinkElement>()
globalThis.addEventListener?.(
  'error',
  ({target}) => {
    if (target instanceof Element && target.matches('link[rel=stylesheet]')) lostStyles.add(target as HTMLLinkElement) // as: it is a link
  },
  true,
)

/** Asks again for the style sheets that did not come. */
const renewStyles = () =>
  Promise.all(
    Array.from(lostStyles, (link) => {
      lostStyles.delete(link)
      const copy = link.cloneNode() as HTMLLinkElement // as: the copy of a link
      return new Promise((resolve, reject) => {
        copy.onload = resolve
        copy.onerror = () => reject(new Error(`Unable to preload CSS for ${link.href}`))
        link.replaceWith(copy)
      })
    }),
  )

/**
 * Asks again for each file that did not come although the server answers. Browsers ask again for a script that failed
 * (whatwg/html#10327); one that remembers it says the same at once.
 */
async function loadPatiently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const failures = new Set<string>(); ;) {
    try {
      return await load()
    } catch (error) {
      const failure = String(error)
      if (failures.has(failure) || isOffline() || !(await isServerHere())) throw error
      failures.add(failure)
      await renewStyles()
    }
  }
}

/**
 * Loads a part of the page by `import()`, and each of its files once more where that fails. Without a network it waits until there is one, since the
 * caller is still waiting for it. It does not try before, unless this build is kept: browsers from before the summer of 2026
 * remember a failed import until the page is loaded again.
 * Rejects with the error of `import()` when the network is there and the part is not, and when the part takes 30 s. The error
 * is marked (`isGone`) where the server answers: it has another build.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let isTried = false; ; isTried = true) {
    // no await while online: what is loaded already is there in the same moment
    if (isOffline() && (isTried || !(await isKept()))) await network()
    try {
      return await inTime(loadPatiently(load))
    } catch (error) {
      if (!isOffline()) throw Object.assign(Object(error), {isGone: await isServerHere()})
    }
  }
}
