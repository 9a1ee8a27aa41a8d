import type {BackgroundNotice, WorkerFact, WorkerRequest} from '#contract/app-worker.ts'
import {lookInterval, type BuildWatch, type BuildWatchPorts} from './new-build.ts'

type WorkerPorts = BuildWatchPorts & {
  /** Makes the worker's address acceptable (Trusted Types). */
  scriptUrl: (url: string) => string
  locale: () => string
  /** Resolves once the processor is free for the hundreds of files of a build. */
  untilQuiet: () => Promise<void>
  /** The user chose a notification. */
  onOpen: (href: string) => void
}

export type AppWorker = BuildWatch & {
  /** Whether seen images and files may be kept: false while the browser is asked to save data. */
  keepsFiles: boolean
  /** Shows it unless a page of this origin is visible; once over all tabs. */
  notify: (notice: BackgroundNotice) => void
  /** Takes back the notifications that were shown to a user who left. */
  forget: () => void
}

/** `navigator.connection` is not in the DOM types. */
export const savesData = (): boolean => (navigator as {connection?: {saveData?: boolean}}).connection?.saveData === true // as: see above

/**
 * Starts the service worker of this build, which keeps the build. Undefined where the browser has none, as on an address
 * without https.
 */
export async function startAppWorker(ports: WorkerPorts): Promise<AppWorker | undefined> {
  const {entry, scriptUrl, locale, untilQuiet, onNewBuild, onOpen, onFailure} = ports
  const workers = globalThis.navigator.serviceWorker as ServiceWorkerContainer | undefined // as: missing without https
  if (workers === undefined) return undefined
  workers.addEventListener('message', ({data}: MessageEvent<WorkerFact>) => {
    if (data.type === 'open') onOpen(data.href)
    else if (data.entry !== entry) onNewBuild()
  })
  const registration = await workers.register(scriptUrl('/sw.js'), {updateViaCache: 'none'})
  const {active} = await workers.ready
  const tell = (request: WorkerRequest) => (workers.controller ?? active)?.postMessage(request)
  let keeper: ServiceWorker | null = null
  const ask = () => {
    if (savesData()) return
    untilQuiet()
      .then(() => tell({type: 'keep', locale: locale()}))
      .catch(onFailure)
  }
  const keep = () => {
    const worker = workers.controller ?? active
    if (keeper === worker) return
    keeper = worker
    ask()
  }
  keep()
  // the network may have gone in the middle of it: the worker goes on where it stopped
  addEventListener('online', ask)
  // the worker of a newer build has nothing yet; a first one takes over the page that has asked it already
  workers.addEventListener('controllerchange', keep)
  let lastLook = Date.now()
  return {
    keepsFiles: !savesData(),
    notify: (notice) => tell({type: 'notify', notice}),
    forget() {
      const close = (notifications: Notification[]) => notifications.forEach((notification) => notification.close())
      registration.getNotifications().then(close, onFailure)
    },
    look() {
      if (Date.now() - lastLook < lookInterval) return
      lastLook = Date.now()
      registration.update().catch(onFailure)
    },
  }
}
