import type {BackgroundNotice, WorkerFact} from '../contract/app-worker.ts'

type OpenPage = {
  url: string
  visibilityState: DocumentVisibilityState
  postMessage: (fact: WorkerFact) => void
  focus: () => Promise<unknown>
}
/** The parts of the worker's scope that are used here. */
export type NotifyingScope = {
  registration: Pick<ServiceWorkerRegistration, 'showNotification'>
  clients: {
    matchAll: (options: {type: 'window'; includeUncontrolled: true}) => Promise<readonly OpenPage[]>
    openWindow: (href: string) => Promise<unknown>
  }
}

const everyPage = {type: 'window', includeUncontrolled: true} as const

/** Tags that were shown since the worker started: a second tab reports the same end a moment later. */
const shownTags = new Set<string>()

/** Shows it once, and only while no page of this origin is visible. */
export async function notify(
  {registration, clients}: NotifyingScope,
  {tag, title, body, href}: BackgroundNotice,
): Promise<void> {
  const pages = await clients.matchAll(everyPage)
  if (shownTags.has(tag) || pages.some(({visibilityState}) => visibilityState === 'visible')) return
  shownTags.add(tag)
  await registration.showNotification(title, {tag, body, icon: '/icon-192.png', data: {href}})
}

const pathOf = (url: string) => new URL(url, 'http://page.invalid').pathname

/** Readers of shared conversations and the pages of the sign-in do not hear the worker. */
const isApp = ({url}: OpenPage) => !/^\/(?:share|services)\//.test(pathOf(url))

/** The click leads to a page of the app that is open, best to one that shows it already, else to a new one. */
export async function openPage({clients}: Pick<NotifyingScope, 'clients'>, notification: Notification): Promise<void> {
  notification.close()
  // as: what `notify` stored
  const {href} = notification.data as {href: string}
  const pages = (await clients.matchAll(everyPage)).filter(isApp)
  const page = pages.find(({url}) => pathOf(url) === pathOf(href)) ?? pages[0]
  if (page === undefined) return void (await clients.openWindow(href))
  page.postMessage({type: 'open', href})
  await page.focus()
}
