/**
 * Parts are loaded before there is an app, and for pages without one: this asks the browser itself, not the actor
 * `environment`. Only a browser says that it is offline; the charts that load their parts are tested without one.
 */
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

/** The service worker has this whole build: the page's script is the last file that it keeps (src/service-worker). */
const isKept = async () =>
  globalThis.navigator.serviceWorker?.controller != null && (await caches.match(ownScript)) !== undefined

/** Milliseconds. Some networks take a request and never answer it, which browsers bear for minutes. */
const patience = 30_000

/** Milliseconds in which a part may still come when a style sheet was given up that may not be its own. */
const briefly = 3_000

/** Milliseconds after which a style sheet is asked for anew: both further requests fit into the patience for a part. */
const stylePatience = 10_000

/** Called with the error when a style sheet was given up first; later parts may not need it, and wait themselves. */
const listeners = new Set<(failure: Error) => void>()

/** Rejects with an error named as browsers name a file that did not come, so that it is told as that. */
function inTime<Part>(part: Promise<Part>): Promise<Part> {
  const timers: ReturnType<typeof setTimeout>[] = []
  let fail: (failure: Error) => void = () => undefined
  const listen = (failure: Error) => void timers.push(setTimeout(() => fail(failure), briefly))
  listeners.add(listen)
  return new Promise<Part>((resolve, reject) => {
    fail = reject
    timers.push(setTimeout(() => reject(new Error('A dynamically imported part did not come in time')), patience))
    part.then(resolve, reject)
  }).finally(() => {
    listeners.delete(listen)
    timers.forEach(clearTimeout)
  })
}

/**
 * How often a style sheet is asked for, and how often a part may fail by the same message: browsers name the file that
 * was imported, whichever file that it needs failed.
 */
const mostTries = 3

/** Resolves when the server can be reached, as far as the browser knows. */
async function network(): Promise<void> {
  if (await isServerHere()) return
  await new Promise<void>((resolve) => addEventListener('online', () => resolve(), {once: true}))
}

/** A style sheet that did not come. `shown`: the link of its last request. */
type LostStyle = {shown: HTMLLinkElement; tries: number; isAsking: boolean; isGivenUp: boolean}

/**
 * Style sheets that did not come, by the link that Vite made. Vite asks for each once in the life of a page, and takes
 * one that failed for one that is there; so it does not hear of a failure: each part that needs the sheet waits for it,
 * and no other part does. Which parts those are only Vite knows.
 */
const lostStyles = new Map<HTMLLinkElement, LostStyle>()
const copies = new WeakSet<EventTarget>()
globalThis.addEventListener?.(
  'error',
  (event) => {
    const {target} = event
    if (!(target instanceof Element) || !target.matches('link[rel=stylesheet]') || copies.has(target)) return
    event.stopImmediatePropagation()
    const link = target as HTMLLinkElement // as: it is a link
    const lostStyle = {shown: link, tries: 1, isAsking: false, isGivenUp: false}
    lostStyles.set(link, lostStyle)
    void renewStyle(link, lostStyle)
  },
  true,
)

/** Asks once more for a lost style sheet; says whether it is there in time. */
const askForStyle = (link: HTMLLinkElement, styleLoss: LostStyle) =>
  new Promise<boolean>((resolve) => {
    const copy = link.cloneNode() as HTMLLinkElement // as: the copy of a link
    copies.add(copy)
    const end = (isThere: boolean) => {
      clearTimeout(timer)
      resolve(isThere)
    }
    const timer = setTimeout(() => end(false), stylePatience)
    copy.onload = () => end(true)
    copy.onerror = () => end(false)
    styleLoss.shown.replaceWith(copy)
    styleLoss.shown = copy
    styleLoss.tries += 1
  })

/** Asks for a lost style sheet until it is there or given up: after three requests in a row, later after each. */
async function renewStyle(link: HTMLLinkElement, styleLoss: LostStyle): Promise<void> {
  if (styleLoss.isAsking) return
  styleLoss.isAsking = true
  let isThere = false
  do {
    if (isOffline()) await network()
    else if (!(await isServerHere())) break
    isThere = await askForStyle(link, styleLoss)
  } while (!isThere && styleLoss.tries < mostTries)
  styleLoss.isAsking = false
  if (isThere) {
    lostStyles.delete(link)
    link.dispatchEvent(new Event('load'))
  } else if (!styleLoss.isGivenUp) {
    styleLoss.isGivenUp = true
    for (const listen of listeners) listen(new Error(`Unable to preload CSS for ${link.href}`))
  }
}

/**
 * Asks again for the files that did not come although the server answers. Browsers ask again for a script that failed
 * (whatwg/html#10327). An older browser remembers it and rejects with the same message, which ends the loop.
 */
async function loadPatiently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const counts = new Map<string, number>(); ;) {
    try {
      for (const [link, styleLoss] of lostStyles) void renewStyle(link, styleLoss)
      return await load()
    } catch (error) {
      const failure = String(error)
      const count = (counts.get(failure) ?? 0) + 1
      counts.set(failure, count)
      if (count === mostTries || isOffline() || !(await isServerHere())) throw error
    }
  }
}

/** The part that each `load` resolved with: it does so again at once, and asks for nothing. */
const loadedParts = new WeakMap<() => unknown, unknown>()

/** The part that `loadPart` loaded by the same `load`. */
export const loadedPart = <Part>(load: () => Promise<Part>): Part | undefined =>
  loadedParts.get(load) as Part | undefined // as: stored with the function that resolved with it

/**
 * Loads a part of the page by `import()`, and asks again for files that failed. Without a network it waits until there
 * is one, since the caller is still waiting for it. It does not try before, unless this build is kept: browsers from
 * before the summer of 2026 remember a failed import until the page is loaded again. Rejects with the error of
 * `import()` when the network is there and the part is not, and when the part takes 30 s. The error is marked
 * (`isGone`) where the server answers: it has another build. What a part is needed for without a network hands over the
 * same `load` each time: one that resolved before waits for nothing.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let isTried = false; ; isTried = true) {
    // no await while online: what is loaded already is there in the same moment
    if (isOffline() && !loadedParts.has(load) && (isTried || !(await isKept()))) await network()
    try {
      const part = await inTime(loadPatiently(load))
      loadedParts.set(load, part)
      return part
    } catch (error) {
      if (!isOffline()) throw Object.assign(Object(error), {isGone: await isServerHere()})
    }
  }
}
