import type {BrowserContext, Page} from '@playwright/test'

/** A notification as the service worker hands it to the system. */
export type ShownNotice = {title: string; body?: string; href: string}

/**
 * The browser of tests refuses every notification: on this page, once it is loaded again, the user allows what is
 * asked.
 */
export const allowNotices = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', {
      get: () => sessionStorage.getItem('test.notices') ?? 'default',
    })
    Object.assign(Notification, {
      requestPermission: async () => {
        sessionStorage.setItem('test.notices', 'granted')
        return 'granted'
      },
    })
  })

type OpenPage = {url: string; postMessage: (fact: unknown) => void}
/** The part of the worker's scope that is used here. */
type Scope = {
  shownNotices: ShownNotice[]
  registration: object
  clients: {matchAll: (options: object) => Promise<readonly OpenPage[]>}
}

/**
 * Stands in for a system whose windows are all hidden and that shows notifications, in the service worker: all pages of
 * the test's browser are visible.
 */
export async function standInSystem(context: BrowserContext): Promise<{
  shown: () => Promise<ShownNotice[]>
  /** The user taps the notification. */
  tap: (notice: ShownNotice) => Promise<void>
}> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(() => {
    // as: the library types `self` as a window
    const scope = self as unknown as Scope
    scope.shownNotices = []
    Object.assign(scope.registration, {
      showNotification: async (title: string, {body, data}: NotificationOptions) => {
        // as: what the worker stores in every notification
        const {href} = data as {href: string}
        scope.shownNotices.push({title, href, ...(body !== undefined && {body})})
      },
    })
    const all = scope.clients.matchAll.bind(scope.clients)
    Object.assign(scope.clients, {
      matchAll: async () => {
        const pages = await all({type: 'window', includeUncontrolled: true})
        return pages.map((page) => ({
          url: page.url,
          visibilityState: 'hidden',
          postMessage: (fact: unknown) => page.postMessage(fact),
          focus: async () => undefined,
        }))
      },
    })
  })
  return {
    // as: see above
    shown: () => worker.evaluate(() => (self as unknown as Scope).shownNotices),
    tap: (notice) =>
      worker.evaluate(({href}) => {
        const event = new Event('notificationclick')
        self.dispatchEvent(
          Object.assign(event, {notification: {data: {href}, close: () => undefined}, waitUntil: () => undefined}),
        )
      }, notice),
  }
}
