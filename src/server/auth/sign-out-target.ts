import type {ServerDeps} from '../deps.ts'
import type {LoginView} from './login-view.ts'
import {isAllowedOrigin} from './origins.ts'
import {parseRedirectUri} from './redirect-uri.ts'

/**
 * The address to which signing out leads (spec §4: to the login page, which leads back to the current address). The
 * bearer tokens are ended by the page itself (`/oauth2/v1/revoke`), so this address changes nothing of a user and may
 * be a GET.
 *
 * The specified client names its current address as the login's `redirect`; a code may only go to the callback of that
 * origin (security R10), so such an address becomes the callback's own `redirect`.
 */
export async function signOutTarget(
  deps: ServerDeps,
  request: Request,
  view: LoginView,
  target: string | null,
): Promise<string | undefined> {
  if (target === null) return `${view.page.hub}/`
  if (!URL.canParse(target)) return undefined
  const url = new URL(target)
  if (url.username !== '' || url.password !== '') return undefined
  if (`${url.origin}${url.pathname}` !== `${view.base}/auth/login`) {
    return (await isAllowedOrigin(deps, request, url.origin)) ? url.href : undefined
  }
  const back = url.searchParams.get('redirect')
  if (back === null || parseRedirectUri(back) !== undefined) return url.href
  if (!URL.canParse(back) || !(await isAllowedOrigin(deps, request, new URL(back).origin))) return undefined
  const current = new URL(back)
  const callback = new URL('/auth/callback', current.origin)
  callback.searchParams.set('redirect', `${current.pathname}${current.search}`)
  if (parseRedirectUri(callback.href) === undefined) callback.searchParams.delete('redirect')
  url.searchParams.set('redirect', callback.href)
  return url.href
}
