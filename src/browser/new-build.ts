export type BuildWatchPorts = {
  /** Path of the script of this page, by which its build is known. */
  entry: string
  /** The server has another build than the one of this page. Called once. */
  onNewBuild: () => void
  onFailure: (error: unknown) => void
}

export type BuildWatch = {
  /** Asks the server for another build, at most every 15 minutes. */
  look: () => void
}

/** Milliseconds. */
export const lookInterval = 15 * 60_000
/** The script that pages name; what answers without one is no page of the app. */
const scriptOfPage = /\/assets\/app-[\w~-]+\.js/g

const isGone = (entry: PerformanceEntry) =>
  entry instanceof PerformanceResourceTiming &&
  entry.responseStatus === 404 &&
  entry.name.startsWith(`${location.origin}/assets/`)

/**
 * For browsers without a service worker, as on an address without https: looks which script a page opened now would
 * get, and does so at once when a part of this page is not there any more.
 */
export function watchBuild({entry, onNewBuild, onFailure}: BuildWatchPorts): BuildWatch {
  let lastLook = Date.now()
  let isKnown = false
  const look = async () => {
    lastLook = Date.now()
    const page = await fetch(location.origin, {headers: {accept: 'text/html'}, cache: 'no-cache'})
    const scripts: string[] = page.ok ? ((await page.text()).match(scriptOfPage) ?? []) : []
    if (isKnown || scripts.length === 0 || scripts.includes(entry)) return
    isKnown = true
    onNewBuild()
  }
  const parts = new PerformanceObserver((list) => {
    if (list.getEntries().some(isGone)) look().catch(onFailure)
  })
  parts.observe({type: 'resource', buffered: true})
  return {
    look() {
      if (!isKnown && Date.now() - lastLook >= lookInterval) look().catch(onFailure)
    },
  }
}
