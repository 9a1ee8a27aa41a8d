import {filter, fromEvent, map, merge, type Observable} from 'rxjs'
import type {Site} from '#contract/management.ts'
import {directionOf, type Theme} from '#domain/locale.ts'

/** The app's own icon, if the page has none. */
const defaultFavicon = '/favicon.svg'
/** The background of each theme, for the browser's own bars. */
const barColors: Record<Theme, string> = {dark: '#0a0b0c', light: '#f7f8f9'}

/** The address of a site's icon, if loading it cannot run code (security R02, R08). */
export const faviconOf = (favicon: string | null | undefined, base: string): string | undefined => {
  if (!favicon || !URL.canParse(favicon, base)) return undefined
  const url = new URL(favicon, base)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}

export type Page = {
  /** Description, keywords (joined by comma), favicon (made if missing, contract/startup-auth §2) and brand colour. */
  setSite(site: Pick<Site, 'description' | 'keywords' | 'favicon' | 'accent'>): void
  setTheme(theme: Theme): void
  isOnline(): boolean
  online$: Observable<boolean>
  systemTheme(): Theme
  systemTheme$: Observable<Theme>
  isVisible(): boolean
  /** Whether the page is visible. */
  visible$: Observable<boolean>
  /** The page closes; it may return from the back/forward cache. */
  leaving$: Observable<void>
  /** The page returned from the back/forward cache: tokens and epoch may be old (security R16). */
  restored$: Observable<void>
}

/** Language and writing direction of the document: those of the text on it, whatever was chosen. */
export function showLanguage(locale: string, root: HTMLElement = document.documentElement): void {
  root.lang = locale
  root.dir = directionOf(locale)
}

/** Head, root element and lifecycle of the page. The observables are cold: they listen while subscribed. */
export const createPage = (view: Window = window): Page => {
  const {document} = view
  const root = document.documentElement
  const lightScheme = view.matchMedia('(prefers-color-scheme: light)')
  const themeOf = ({matches}: {matches: boolean}): Theme => (matches ? 'light' : 'dark')

  const setMeta = (name: string, content: string | null | undefined) => {
    const element = document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
    if (!content) {
      element?.remove()
      return
    }
    const meta = element ?? document.head.appendChild(document.createElement('meta'))
    meta.name = name
    meta.content = content
  }

  const findIcon = () => document.head.querySelector<HTMLLinkElement>('link[rel="icon"]')
  // our server writes the site's icon, without a type, which is none to come back to
  const bundledFavicon = (findIcon()?.type && findIcon()?.getAttribute('href')) || defaultFavicon
  const setFavicon = (href: string) => {
    const icon = findIcon()
    if (icon?.getAttribute('href') === href) return // setting the same address would fetch it again
    const link = icon ?? document.head.appendChild(document.createElement('link'))
    link.rel = 'icon'
    // a wrong type makes browsers ignore the icon
    if (href === bundledFavicon) link.type = 'image/svg+xml'
    else link.removeAttribute('type')
    link.href = href
  }

  return {
    setSite({description, keywords, favicon, accent}) {
      setMeta('description', description)
      setMeta('keywords', keywords?.join(','))
      setFavicon(faviconOf(favicon, document.baseURI) ?? bundledFavicon)
      // null takes the property away: the design's own value counts again
      root.style.setProperty('--accent-h', accent ? `${accent.hue}` : null)
      // a foreign back end may send any number: texts stay readable up to the design's own chroma
      root.style.setProperty('--accent-c', accent ? `clamp(0, ${accent.chroma}, .215)` : null)
    },
    setTheme(theme) {
      root.dataset.theme = theme
      root.classList.toggle('dark', theme === 'dark')
      setMeta('theme-color', barColors[theme])
    },
    isOnline: () => view.navigator.onLine,
    online$: merge(fromEvent(view, 'online').pipe(map(() => true)), fromEvent(view, 'offline').pipe(map(() => false))),
    systemTheme: () => themeOf(lightScheme),
    systemTheme$: fromEvent<MediaQueryListEvent>(lightScheme, 'change').pipe(map(themeOf)),
    isVisible: () => document.visibilityState === 'visible',
    visible$: fromEvent(document, 'visibilitychange').pipe(map(() => document.visibilityState === 'visible')),
    leaving$: fromEvent(view, 'pagehide').pipe(map(() => undefined)),
    restored$: fromEvent<PageTransitionEvent>(view, 'pageshow').pipe(
      filter(({persisted}) => persisted),
      map(() => undefined),
    ),
  }
}
