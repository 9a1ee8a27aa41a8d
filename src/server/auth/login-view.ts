import {eq} from 'drizzle-orm'
import {parse as parseCookie} from 'hono/utils/cookie'
import type {ServerDeps} from '../deps.ts'
import {languageOf, loadLanguage} from '../http/language.ts'
import {ownImage, platformBase} from '../platform/addresses.ts'
import {randomToken} from '../secrets.ts'
import {sites} from '../store/schema/platform.ts'
import {formCookie, formCookieName} from './form-token.ts'
import {readLoginRequest, type LoginRefusal, type LoginRequest, type LoginTarget} from './login-request.ts'
import {baseForPhones, hubOrigin, visibleOrigin} from './origins.ts'
import type {PageContext, SiteFace} from './pages/page.ts'
import {findSiteRule, type SiteRule} from './site-rule.ts'

type Deps = Pick<ServerDeps, 'config' | 'database' | 'fileStores' | 'now' | 'secrets'>

/**
 * Facts about the request of a sign-in page: the permitted target, the looks, and the addresses of this
 * installation.
 */
export type LoginView = {
  login: LoginRequest | LoginRefusal
  page: PageContext
  /** The form cookie to set with the page. */
  formCookie: string
  cookie: (name: string) => string | undefined
  /** The rule of the site that a user registers at here. */
  rule: SiteRule | undefined
  /** Public base of the auth service, without a slash at the end. */
  base: string
}

const pagePath = /\/auth\/(?:login|register|logout)$/

/** Public fields of the first of these origins that is one of our sites. `hub`: the origin of its page. */
export async function findSiteFace(
  deps: Deps,
  hub: string,
  origins: readonly (string | undefined)[],
): Promise<SiteFace> {
  for (const origin of origins) {
    if (origin === undefined) continue
    const [site] = await deps.database.asSystem((transaction) =>
      transaction
        .select({title: sites.title, accent: sites.accent, logo: sites.logo})
        .from(sites)
        .where(eq(sites.origin, origin))
        .limit(1),
    )
    if (site) return {title: site.title?.trim() || undefined, accent: site.accent, logo: logoOf(deps, hub, site.logo)}
  }
  return {title: undefined, accent: undefined, logo: undefined}
}

/** A file of this installation or of its page alone: the sign-in pages ask no other server for anything. */
function logoOf({config, fileStores}: Deps, hub: string, logo: string | null): SiteFace['logo'] {
  const address = ownImage(logo, {platform: platformBase(config, hub), page: hub})
  if (address === undefined) return undefined
  const {origin} = new URL(address)
  return {address, origins: [origin, ...(fileStores.redirect ? [fileStores.redirect.origin] : [])]}
}

const originOf = (target: LoginTarget): string | undefined =>
  target.kind === 'redirect' ? target.redirectUri.origin : target.kind === 'embedded' ? target.origins[0] : undefined

/** Reads everything a sign-in page depends on. Never refuses: a refusal is a page as well. */
export async function readLoginView(deps: Deps, request: Request): Promise<LoginView> {
  const login = await readLoginRequest(deps, request)
  const url = new URL(request.url)
  const cookies = parseCookie(request.headers.get('cookie') ?? '')
  const target: LoginTarget = 'refused' in login ? {kind: 'none'} : login.target
  const query = 'refused' in login ? {} : login.query
  const visibleHub = await visibleOrigin(deps, request)
  const base = `${visibleHub}${url.pathname.replace(pagePath, '')}`
  const hub = hubOrigin(deps, visibleHub)
  const isFramed = request.headers.get('sec-fetch-dest') === 'iframe'
  const rule = await findSiteRule(deps, {target, hub, address: visibleHub, isFramed})
  const locale = languageOf(request)
  const theme = [url.searchParams.get('theme'), cookies.THEME].find((value) => value === 'dark' || value === 'light')
  const forPhone = new URLSearchParams({
    ...(query.site !== undefined && {site: query.site}),
    ...(query.inviter_id !== undefined && {inviter_id: query.inviter_id}),
    lang: locale,
  })
  return {
    login,
    page: {
      intl: await loadLanguage(locale),
      theme,
      nonce: randomToken(),
      // the same site for looks and inviter: a link cannot show one and reward for another
      site: await findSiteFace(deps, hub, [rule?.origin, query.site, originOf(target)]),
      // the page's own links repeat only the parsed query
      query: new URLSearchParams(query as Record<string, string>), // LoginQuery without undefined is text only
      target,
      qrLink: `${baseForPhones(deps, base)}/auth/login?${forPhone.toString()}`,
      hub,
    },
    formCookie: formCookie(deps, cookies[formCookieName]),
    cookie: (name) => cookies[name],
    rule,
    base,
  }
}

/** A `Set-Cookie` of the auth pages. In a frame of another site it needs `SameSite=None`, which only https may have. */
export function setCookie(
  {base, page}: Pick<LoginView, 'base' | 'page'>,
  name: string,
  value: string,
  seconds: number,
): string {
  const {protocol, pathname} = new URL(base)
  const secure = protocol === 'https:'
  const path = `${pathname === '/' ? '' : pathname}/auth`
  const foreign = secure && page.target.kind === 'embedded'
  const sameSite = foreign ? 'SameSite=None; Partitioned' : 'SameSite=Lax'
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; ${sameSite}${secure ? '; Secure' : ''}`
}

/** Sources of a policy may not be IPv6 literals (CSP 3 §2.3.1); such a page signs in by redirect. */
const asSources = (origins: readonly string[]) => origins.filter((origin) => !origin.includes('[')).join(' ')

type PageOptions = {status?: number; headers?: Record<string, string>}

/** A page with its headers: no frame but the page that will get the tokens, no address but our own. */
export function drawnPage(page: PageContext, body: string, {status = 200, headers = {}}: PageOptions = {}): Response {
  const {nonce, target, hub} = page
  const ancestors = (target.kind === 'embedded' && asSources(target.origins)) || "'none'"
  // browsers hold the redirect after a form to form-action as well
  const formTargets = target.kind === 'redirect' ? asSources([target.redirectUri.origin]) : asSources([hub])
  return new Response(body, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        `style-src 'nonce-${nonce}'`,
        `script-src 'nonce-${nonce}'`,
        page.site.logo ? `img-src 'self' data: ${asSources(page.site.logo.origins)}` : 'img-src data:',
        `form-action 'self' ${formTargets}`,
        `frame-ancestors ${ancestors}`,
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ].join('; '),
      // `no-referrer` would make the form's own POST arrive with `Origin: null`; nothing secret is in these addresses
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}

/** A sign-in page, with the cookie its form is checked against. */
export function pageResponse(view: LoginView, body: string, options: PageOptions = {}): Response {
  const response = drawnPage(view.page, body, options)
  response.headers.append('set-cookie', setCookie(view, formCookieName, view.formCookie, 12 * 60 * 60))
  return response
}

/** Leaves the sign-in pages, by GET. */
export function leave(address: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer'})
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, {status: 303, headers})
}
