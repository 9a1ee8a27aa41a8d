import type {PageConfig} from '#contract/page-config.ts'
import {isLocale} from '#domain/locale.ts'
import type {ServerDeps} from '../deps.ts'
import {placeholderOrigin} from '../platform/placeholder-origin.ts'
import {compressed} from './compress.ts'
import {HttpFailure} from './failure.ts'
import {createNonce, pagePolicy} from './headers.ts'
import {servicePrefix} from './router.ts'
import type {ServiceName} from './route.ts'
import type {StaticFiles} from './static-files.ts'

const isLoopbackOrigin = (origin: string) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)

/**
 * The app: its assets, and its one page for every other path a person may type. The page is filled for each request:
 * where the services are, a fresh nonce with the policy that names it, and the language and theme of the cookies, so
 * that the first paint is right before any script runs.
 */
export function createPageServer(deps: ServerDeps, files: StaticFiles) {
  let siteOrigin: Promise<string> | undefined
  const placeholder = () => {
    siteOrigin ??= placeholderOrigin(deps).catch((error: unknown) => {
      siteOrigin = undefined
      throw error
    })
    return siteOrigin
  }

  return async (request: Request, visibleOrigin: string): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new HttpFailure(405, 'bad_request', 'Pages are only read.', {headers: {allow: 'GET, HEAD'}})
    }
    const {pathname} = new URL(request.url)
    const file = await files.serve(request, pathname)
    if (file) return file
    if (!isPagePath(request, pathname)) throw new HttpFailure(404, 'not_found', 'There is nothing at this address.')
    const base = (service: ServiceName) => deps.config.serviceOrigins[service] ?? visibleOrigin + servicePrefix(service)
    const bases = {platform: base('platform'), auth: base('auth'), api: base('api')}
    const config: PageConfig = {
      mode: deps.config.mode,
      ...bases,
      hub: visibleOrigin,
      loginFlow: deps.config.loginFlow,
      capabilities: ['pkce', 'refresh', 'running'],
      foreignImages: false,
      ...(isLoopbackOrigin(visibleOrigin) ? {siteOrigin: await placeholder()} : {}),
    }
    const nonce = createNonce()
    const template = typeof files.indexHtml === 'string' ? files.indexHtml : await files.indexHtml()
    const html = fillPage(template, {config, nonce, ...preferences(request)})
    const page = new Response(request.method === 'HEAD' ? null : html, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: 'Cookie',
        'content-security-policy': pagePolicy(nonce, visibleOrigin, bases),
      },
    })
    return compressed(request, page)
  }
}

/** What is asked for as data, or has an extension, is something that is not there; a page would only hide that. */
function isPagePath(request: Request, pathname: string): boolean {
  const accept = request.headers.get('accept')
  if (accept !== null && !/text\/html|\*\/\*/.test(accept)) return false
  return !/\.[a-z0-9]{1,12}$/i.test(pathname) && !/^\/(assets|api|oauth2|aichat)\//.test(pathname)
}

type Preferences = {locale: string | undefined; theme: 'dark' | 'light' | undefined}

/** The cookies as far as they are valid (security R18); the page's own first script decides the rest. */
function preferences(request: Request): Preferences {
  const cookie = (name: string) =>
    new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(request.headers.get('cookie') ?? '')?.[1]
  const [locale, theme] = [cookie('LOCALE'), cookie('THEME')]
  return {
    locale: locale !== undefined && isLocale(locale) ? locale : undefined,
    theme: theme === 'dark' || theme === 'light' ? theme : undefined,
  }
}

/** Text for the inside of a script element: it cannot end the element or open a comment. */
const scriptSafe = (value: unknown) =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028|\u2029/g, ' ')

function fillPage(template: string, page: Preferences & {config: PageConfig; nonce: string}): string {
  const {locale, theme} = page
  return template
    .replace(/<html\b[^>]*>/, (tag) => {
      const withLocale =
        locale === undefined
          ? tag
          : setAttribute(setAttribute(tag, 'lang', locale), 'dir', locale === 'ar' ? 'rtl' : 'ltr')
      return theme === undefined ? withLocale : setAttribute(withLocale, 'data-theme', theme)
    })
    .replace(
      /(<script\b[^>]*\bid="config"[^>]*>)[^<]*(<\/script>)/,
      (_, open: string, close: string) => open + scriptSafe(page.config) + close,
    )
    .replaceAll('__CSP_NONCE__', page.nonce)
}

const setAttribute = (tag: string, name: string, value: string): string => {
  const attribute = `${name}="${value}"`
  const present = new RegExp(`\\b${name}="[^"]*"`)
  return present.test(tag) ? tag.replace(present, attribute) : tag.replace(/>$/, ` ${attribute}>`)
}
