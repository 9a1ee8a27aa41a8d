import {callbackUrl, loginUrl, logoutUrl, plainLoginUrl} from '#api/login-address.ts'
import {isLoginLoop} from '#domain/login-loop.ts'
import {safeReturnPath} from '#domain/safe-return-path.ts'
import type {LoginInput, LoginReason, LoginStart} from '#machines/auth/auth.types.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import {currentInviter} from './current-inviter.ts'
import type {RootDeps} from './root-deps.ts'

/** Path and query of the page, where a login comes back to; from the login pages themselves, where they were to go. */
const herePath = ({address}: Pick<RootDeps, 'address'>) => {
  const {pathname, search, searchParams, hash, origin} = address()
  if (!pathname.startsWith('/auth/')) return `${pathname}${search}${hash}`
  return safeReturnPath(searchParams.get('redirect') ?? '', origin) ?? '/'
}

const offersPkce = ({config}: Pick<RootDeps, 'config'>) => config.capabilities.includes('pkce')

/** `isKept`: this browser will know the answer of the login page as one it asked for. */
const loginAddress = async (
  deps: RootDeps,
  site: SiteActor | undefined,
  {reason, returnPath}: {reason: LoginReason; returnPath: string},
): Promise<{login: string; isKept: boolean}> => {
  const {config, timers} = deps
  const siteContext = site?.getSnapshot().context
  const address = {
    auth: config.auth,
    hub: config.hub,
    site: siteContext?.site?.origin ?? siteContext?.origin ?? deps.address().origin,
    inviterId: currentInviter(deps, site),
    returnPath,
  }
  if (!offersPkce(deps)) return {login: loginUrl(address), isKept: true}
  const secret = deps.createSecret()
  const verifier = deps.createSecret()
  const extension = {
    state: secret,
    challenge: await deps.createChallenge(verifier),
    language: deps.cookies.read().locale,
    theme: deps.cookies.read().theme,
    ...(reason === 'deleted' && {reason}),
  }
  const redirectUri = callbackUrl({hub: config.hub, returnPath, extension})
  const isKept = (await deps.transactions()).begin({
    state: secret,
    verifier,
    returnPath,
    redirectUri,
    createdAt: timers.now(),
  })
  return {login: loginUrl({...address, extension}), isKept}
}

/** Goes to the login page by navigation (spec §4), unless that happened too often or could not come back. */
export const leaveToLogin = async (
  deps: RootDeps,
  site: SiteActor | undefined,
  {reason, returnPath, isForced}: LoginInput,
): Promise<LoginStart> => {
  const {config, state, bulk, timers} = deps
  const [transactions, now] = [await deps.transactions(), timers.now()]
  if (!isForced && isLoginLoop(transactions.redirects(now), now)) return {kind: 'loop'}
  const to = {reason, returnPath: returnPath ?? herePath(deps)}
  const {login, isKept} = await loginAddress(deps, site, to)
  // without sessionStorage the PKCE state is lost and the callback would be refused: an endless loop
  if (!isForced && !isKept) return {kind: 'loop'}
  transactions.noteRedirect(now)
  state.flush()
  await bulk.flush()
  const afterLogout = offersPkce(deps) ? login : plainLoginUrl(config.auth, deps.address().href)
  if (reason === 'logout' || reason === 'deleted') deps.navigate(logoutUrl(config.auth, afterLogout))
  else deps.navigate(reason === 'absent' ? logoutUrl(config.auth, login, offersPkce(deps)) : login)
  return {kind: 'leaving'}
}
