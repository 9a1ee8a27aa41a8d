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

/**
 * Loads a part of the page by `import()`. Without a network it waits until there is one, since the caller is
 * still waiting for it. It does not try before, unless this build is kept: some browsers remember a failed import until the page is
 * loaded again.
 * Rejects with the error of `import()` when the network is there and the part is not, and when the part takes 30 s. The error
 * is marked (`isGone`) where the server answers: it has another build.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let isTried = false; ; isTried = true) {
    // no await while online: what is loaded already is there in the same moment
    if (isOffline() && (isTried || !(await isKept()))) await network()
    try {
      return await inTime(load())
    } catch (error) {
      if (!isOffline()) throw Object.assign(Object(error), {isGone: await isServerHere()})
    }
  }
}

/**
 * Asks for a file under another address, for some browsers remember until the page is loaded again that it did not come.
 * Only for a module without state, which may be there twice.
 */
export async function importAgain<Module>(failure: unknown): Promise<Module> {
  const [file] = /\/assets\/\S+/.exec(String(failure)) ?? []
  if (file === undefined) throw failure
  // as: the file is the one that the caller asked for
  return (await import(/* @vite-ignore */ `${file}?${Date.now()}`)) as Module
}
