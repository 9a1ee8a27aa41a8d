import type {IntlShape} from '@formatjs/intl'
import {parse as parseCookie} from 'hono/utils/cookie'
import {largestFile} from '#contract/files.ts'
import type {PageConfig} from '#contract/page-config.ts'
import {imageFramePath} from '#domain/image-frame.ts'
import {directionOf} from '#domain/locale.ts'
import type {ServerDeps} from '../deps.ts'
import {findShortLink} from '../distribution/short-links.ts'
import {platformBase} from '../platform/addresses.ts'
import {placeholderOrigin} from '../platform/placeholder-origin.ts'
import {appManifest, appManifestPath} from './app-manifest.ts'
import {isShared} from '../shares/share-store.ts'
import {serveBuildFile} from './build-files.ts'
import {compressed} from './compress.ts'
import {HttpFailure, say, type FailureId} from './failure.ts'
import {createNonce, pagePolicy} from './headers.ts'
import {imageFrame} from './image-frame.ts'
import {inEnglish, languageHeaders, languageOf, loadLanguage} from './language.ts'
import {servicePrefix} from './router.ts'
import type {ServiceName} from './route.ts'
import {findFace} from './site-faces.ts'
import {withSiteHead} from './site-head.ts'
import type {StaticFiles} from './static-files.ts'

/** A shared conversation: read without an account, and kept by no search engine. */
const sharePath = /^\/share\/([^/]+)\/?$/
const noIndex = 'noindex, nofollow, noarchive'
const robotsTag = `<meta name="robots" content="${noIndex}" />`

const isLoopbackOrigin = (origin: string) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)

/**
 * The app: its assets, and its one page for every other path a user may type. The page is filled for each request:
 * where the services are, a fresh nonce with the policy that names it, the theme of the cookie and the language, so
 * that the first paint is right before any script runs, and what is said where none runs.
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

  const siteOriginAt = async (origin: string) => (isLoopbackOrigin(origin) ? placeholder() : origin)

  return async (request: Request, visibleOrigin: string): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new HttpFailure(405, 'bad_request', 'pagesAreRead', {headers: {allow: 'GET, HEAD'}})
    }
    const {pathname} = new URL(request.url)
    const target = await findShortLink(deps, pathname)
    if (target !== undefined)
      return new Response(null, {status: 302, headers: {location: target, 'cache-control': 'no-store'}})
    if (pathname === appManifestPath)
      return serveManifest(deps, request, visibleOrigin, await siteOriginAt(visibleOrigin))
    if (pathname === imageFramePath) return imageFrame(request, visibleOrigin)
    const file = (await files.serve(request, pathname)) ?? (await serveBuildFile(deps.database, request, pathname))
    if (file) return file
    if (!isPagePath(request, pathname)) throw new HttpFailure(404, 'not_found', 'noAddress')
    const siteOrigin = await siteOriginAt(visibleOrigin)
    const config = pageConfig(deps, visibleOrigin, siteOrigin)
    const nonce = createNonce()
    const template = typeof files.indexHtml === 'string' ? files.indexHtml : await files.indexHtml()
    const locale = languageOf(request)
    const intl = await loadLanguage(locale).catch(() => inEnglish)
    const messagesPath = files.messagesPath(locale)
    const shareHandle = sharePath.exec(pathname)?.[1]
    const isMissing = shareHandle !== undefined && !(await isShared(deps, shareHandle))
    const head = (messagesPath ? preload(messagesPath) : '') + (shareHandle === undefined ? '' : robotsTag)
    const filledPage = fillPage(template, {config, nonce, intl, theme: themeOf(request), head})
    const isRead = request.method === 'GET'
    const html = isRead ? withSiteHead(filledPage, await findFace(deps, siteOrigin), config.platform) : null
    const page = new Response(html, {
      status: isMissing ? 404 : 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: languageHeaders,
        'content-security-policy': pagePolicy(nonce, visibleOrigin, config, deps.fileStores.redirect?.origin),
        ...(shareHandle === undefined ? {} : {'x-robots-tag': noIndex}),
      },
    })
    return compressed(request, page)
  }
}

async function serveManifest(deps: ServerDeps, request: Request, visibleOrigin: string, siteOrigin: string) {
  const platform = platformBase(deps.config, visibleOrigin)
  const manifest = {siteOrigin, platform, locale: languageOf(request), theme: themeOf(request)}
  const {headers, body} = await appManifest(deps, manifest)
  return new Response(request.method === 'HEAD' ? null : body, {headers})
}

type Bases = Record<'platform' | 'auth' | 'api', string>

/** The services of a page, and the offers of this server beyond the specification. */
function pageConfig(
  {config}: ServerDeps,
  visibleOrigin: string,
  siteOrigin: string,
): PageConfig & Bases & {largestFile: number} {
  const base = (service: ServiceName) => config.serviceOrigins[service] ?? visibleOrigin + servicePrefix(service)
  return {
    mode: config.mode,
    platform: base('platform'),
    auth: base('auth'),
    api: base('api'),
    hub: visibleOrigin,
    loginFlow: config.loginFlow,
    capabilities: [
      'pkce',
      'refresh',
      'running',
      'renewable-files',
      'usage-totals',
      'account',
      'general-plans',
      'orders',
      'shares',
      'answers',
      'prompts',
      'favourite-models',
      'upload-keys',
    ],
    foreignImages: 'framed',
    largestFile,
    ...(siteOrigin === visibleOrigin ? {} : {siteOrigin}),
  }
}

/** Says whether the page answers. Data, or a name with an extension, is not there: a page would only hide that. */
function isPagePath(request: Request, pathname: string): boolean {
  const accept = request.headers.get('accept')
  if (accept !== null && !/text\/html|\*\/\*/.test(accept)) return false
  return !/\.[a-z0-9]{1,12}$/i.test(pathname) && !/^\/(assets|api|oauth2|aichat)\//.test(pathname)
}

/** The cookie as far as it is valid (security R18); the page's own first script decides the rest. */
function themeOf(request: Request): 'dark' | 'light' | undefined {
  const theme = parseCookie(request.headers.get('cookie') ?? '').THEME
  return theme === 'dark' || theme === 'light' ? theme : undefined
}

/** Text for the inside of a script element: it cannot end the element or open a comment. */
const scriptSafe = (value: unknown) =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028|\u2029/g, ' ')

type Filling = {
  config: PageConfig
  nonce: string
  intl: IntlShape
  theme: 'dark' | 'light' | undefined
  /** More for the end of the head. */
  head: string
}

/** The messages load beside the script that shows them, instead of after it. */
const preload = (path: string) => `<link rel="modulepreload" href="${path}" nonce="__CSP_NONCE__" />`

function fillPage(template: string, {config, nonce, intl, theme, head}: Filling): string {
  const language = {lang: intl.locale, dir: directionOf(intl.locale)}
  const text = (id: FailureId) => say(intl, id).replace(/[&<"]/g, (character) => `&#${character.charCodeAt(0)};`)
  const question = {'aria-label': text('pageQuestion'), placeholder: text('pageQuestionPlaceholder')}
  return template
    .replace(/<html\b[^>]*>/, (tag) => withAttributes(tag, {...language, ...(theme && {'data-theme': theme})}))
    .replace(/(<noscript>)[^<]*/, (_, tag: string) => tag + text('pageNeedsScript'))
    .replace(
      /(<template id="not-loaded">\s*)(<p[^>]*>)[^<]*(<a[^>]*>)[^<]*/,
      (_, tag: string, paragraph: string, link: string) =>
        `${tag}${withAttributes(paragraph, language)}${text('pageNotLoaded')} ${link}${text('pageReload')}`,
    )
    .replace(/<textarea\b[^>]*>/, (tag) => withAttributes(tag, question))
    .replace(
      /(<script\b[^>]*\bid="config"[^>]*>)[^<]*(<\/script>)/,
      (_, open: string, close: string) => open + scriptSafe(config) + close,
    )
    .replace('</head>', (tag) => head + tag)
    .replaceAll('__CSP_NONCE__', nonce)
}

const withAttributes = (tag: string, attributes: Record<string, string>): string =>
  Object.entries(attributes).reduce((newTag, [name, value]) => setAttribute(newTag, name, value), tag)

const setAttribute = (tag: string, name: string, value: string): string => {
  const attribute = `${name}="${value}"`
  const present = new RegExp(`\\b${name}="[^"]*"`)
  return present.test(tag) ? tag.replace(present, attribute) : tag.replace(/>$/, ` ${attribute}>`)
}
