import {loginQuery, type LoginQuery} from '#contract/oauth-requests.ts'
import type {ServerDeps} from '../deps.ts'
import {isAllowedOrigin, pageOrigins} from './origins.ts'
import {parseOrigin, parseRedirectUri, type RedirectUri} from './redirect-uri.ts'

/** The target of a sign-in: an address that gets a code, a page that gets a message, or nothing yet. */
export type LoginTarget =
  | {kind: 'redirect'; redirectUri: RedirectUri; challenge: string | undefined}
  | {kind: 'embedded'; origins: readonly string[]}
  | {kind: 'none'}

export type LoginRequest = {target: LoginTarget; query: LoginQuery}
/** The query key with a forbidden value. */
export type LoginRefusal = {refused: string}

/** Keys that only change looks, words or the inviter: a wrong value is left out. The others refuse the page. */
const lenientKeys = ['site', 'inviter_id', 'setup', 'lang', 'theme', 'reason'] as const
const strictKeys = ['redirect', 'state', 'code_challenge', 'code_challenge_method', 'parent_origin'] as const

/**
 * Reads the query of the login and registration pages (spec §7, security R10): every key at most once, S256 or no
 * challenge at all, a registered redirect or the exact origin of an own page.
 */
export async function readLoginRequest(
  deps: Pick<ServerDeps, 'config' | 'database'>,
  request: Request,
): Promise<LoginRequest | LoginRefusal> {
  const parameters = new URL(request.url).searchParams
  const query: Record<string, string> = {}
  for (const key of strictKeys) {
    const [value, ...more] = parameters.getAll(key)
    if (more.length > 0) return {refused: key}
    if (value === undefined) continue
    if (!loginQuery.shape[key].safeParse(value).success) return {refused: key}
    query[key] = value
  }
  for (const key of lenientKeys) {
    const value = parameters.get(key) ?? undefined
    if (value !== undefined && loginQuery.shape[key].safeParse(value).success) query[key] = value
  }
  const fields = loginQuery.parse(query)
  const target = await readTarget(deps, request, fields)
  return 'refused' in target ? target : {target, query: fields}
}

async function readTarget(
  deps: Pick<ServerDeps, 'config' | 'database'>,
  request: Request,
  {redirect, parent_origin: parent, code_challenge: challenge, code_challenge_method: method}: LoginQuery,
): Promise<LoginTarget | LoginRefusal> {
  // without a method the challenge would be a plain one (RFC 7636 §4.3)
  if ((challenge === undefined) !== (method === undefined)) return {refused: 'code_challenge_method'}
  if (redirect !== undefined) {
    const redirectUri = parseRedirectUri(redirect)
    if (redirectUri === undefined || !(await isAllowedOrigin(deps, request, redirectUri.origin)))
      return {refused: 'redirect'}
    if (parent !== undefined) return {refused: 'parent_origin'}
    return {kind: 'redirect', redirectUri, challenge}
  }
  if (parent !== undefined) {
    const origin = parseOrigin(parent)
    if (origin === undefined || !(await isAllowedOrigin(deps, request, origin))) return {refused: 'parent_origin'}
    return {kind: 'embedded', origins: [origin]}
  }
  // the specified embedded page names no parent (spec §7): only our own pages can be it
  const isFramed = request.headers.get('sec-fetch-dest') === 'iframe'
  return isFramed ? {kind: 'embedded', origins: pageOrigins(deps)} : {kind: 'none'}
}
