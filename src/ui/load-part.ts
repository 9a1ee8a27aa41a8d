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
 * Style sheets that did not come, each with the request that asks for it again while that runs. Vite asks for each once in the life
 * of a page, and takes one that failed for one that is there.
 */
const lostStyles = new Map<HTMLLinkElement, Promise<void> | undefined>()
globalThis.addEventListener?.(
  'error',
  ({target}) => {
    if (target instanceof Element && target.matches('link[rel=stylesheet]'))
      lostStyles.set(target as HTMLLinkElement, undefined) // as: it is a link
  },
  true,
)

/** As Vite names it. */
const lostStyle = ({href}: HTMLLinkElement) => `Unable to preload CSS for ${href}`

/** Asks again for a style sheet that did not come; once for all that wait for it. */
function renewStyle(link: HTMLLinkElement): Promise<void> {
  const running = lostStyles.get(link)
  if (running !== undefined) return running
  const copy = link.cloneNode() as HTMLLinkElement // as: the copy of a link
  const renewed = new Promise<void>((resolve, reject) => {
    copy.onload = () => resolve()
    // the listener above has noted the copy as lost
    copy.onerror = () => reject(new Error(lostStyle(link)))
    link.replaceWith(copy)
  }).finally(() => lostStyles.delete(link))
  lostStyles.set(link, renewed)
  return renewed
}

/** Milliseconds that a part waits for style sheets that may not be its own. */
const briefly = 5_000

/**
 * Asks again for all style sheets that did not come. The part needs those that it failed by (`failures`); which others it shares
 * is not known, so none that stays away keeps the part from its user.
 */
async function renewStyles(failures: ReadonlySet<string>): Promise<void> {
  const [own, others]: [Promise<void>[], Promise<void>[]] = [[], []]
  for (const link of [...lostStyles.keys()])
    (failures.has(`Error: ${lostStyle(link)}`) ? own : others).push(renewStyle(link))
  let timer: ReturnType<typeof setTimeout> | undefined
  const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, briefly)))
  await Promise.all([...own, Promise.race([Promise.allSettled(others), waited])]).finally(() => clearTimeout(timer))
}

/** How often a part may fail by the same message: browsers name the file that was imported, whichever file that it needs failed. */
const equalFailures = 3

/**
 * Asks again for the files that did not come although the server answers. Browsers ask again for a script that failed
 * (whatwg/html#10327). An older browser remembers it and rejects with the same message, which ends the loop.
 */
async function loadPatiently<Part>(load: () => Promise<Part>, failures: Set<string>): Promise<Part> {
  for (const counts = new Map<string, number>(); ;) {
    try {
      if (lostStyles.size > 0) await renewStyles(failures)
      return await load()
    } catch (error) {
      const failure = String(error)
      const count = (counts.get(failure) ?? 0) + 1
      counts.set(failure, count)
      failures.add(failure)
      if (count === equalFailures || isOffline() || !(await isServerHere())) throw error
    }
  }
}

/**
 * Loads a part of the page by `import()`, and asks again for files that failed. Without a network it waits until there is one, since the
 * caller is still waiting for it. It does not try before, unless this build is kept: browsers from before the summer of 2026
 * remember a failed import until the page is loaded again.
 * Rejects with the error of `import()` when the network is there and the part is not, and when the part takes 30 s. The error
 * is marked (`isGone`) where the server answers: it has another build.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const failures = new Set<string>()
  for (let isTried = false; ; isTried = true) {
    // no await while online and with all styles: what is loaded already is there in the same moment
    if (isOffline() && (isTried || !(await isKept()))) await network()
    try {
      return await inTime(loadPatiently(load, failures))
    } catch (error) {
      if (!isOffline()) throw Object.assign(Object(error), {isGone: await isServerHere()})
    }
  }
}
