import {createCookieJar} from '#browser/cookies.ts'
import {createPage} from '#browser/page.ts'
import {toTheme} from '#domain/locale.ts'

/**
 * Shows the system's theme whenever it changes, unless another one was chosen by the address or the cookie. The page's
 * first script has shown what holds when it loads.
 * @returns ends it
 */
export function followSystemTheme(view: Window): () => void {
  const {document, location} = view
  const address = {protocol: location.protocol, hostname: location.hostname}
  const cookies = createCookieJar({page: document, address, domain: undefined})
  const parameter = toTheme(new URLSearchParams(location.search).get('theme') ?? undefined)
  const page = createPage(view)
  const changes = page.systemTheme$.subscribe((theme) => {
    // another tab of the app may have chosen one meanwhile
    if (parameter === undefined && cookies.read().theme === undefined) page.setTheme(theme)
  })
  return () => changes.unsubscribe()
}
