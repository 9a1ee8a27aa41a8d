import {fromPromise, waitFor} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import {callbackUrl, loginUrl, logoutUrl, plainLoginUrl} from '#api/oauth.ts'
import type {User} from '#contract/management.ts'
import {toFailure} from '#domain/failure.ts'
import {inviterOf} from '#domain/inviter-order.ts'
import {isLoginLoop} from '#domain/login-loop.ts'
import {withoutAccess} from '#domain/persisted-state.ts'
import {safeReturnPath} from '#domain/safe-return-path.ts'
import {isNewerToken, toSessionToken, type SessionToken} from '#domain/session-token.ts'
import {authMachine} from '#machines/auth/auth.machine.ts'
import type {LoginCode, LoginInput, LoginStart} from '#machines/auth/auth.types.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import {createSleepUntil} from '#machines/lib/sleep-until.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

/** How long a sign-out waits for the server to confirm; the person is signed out here at once. */
const revokePatience = 2_000

/** Path and query of the page, where a login comes back to; from the login pages themselves, where they were to go. */
const herePath = ({address}: Pick<RootDeps, 'address'>) => {
  const {pathname, search, searchParams, hash, origin} = address()
  if (!pathname.startsWith('/auth/')) return `${pathname}${search}${hash}`
  return safeReturnPath(searchParams.get('redirect') ?? '', origin) ?? '/'
}

/** Who invited this person (spec §6), from site, address and cookie. */
export const currentInviter = (deps: Pick<RootDeps, 'address' | 'cookies'>, site: SiteActor | undefined) => {
  const distribution = site?.getSnapshot().context.site?.distribution
  return inviterOf({
    forced: distribution?.force_inviter_id,
    query: deps.address().searchParams.get('inviter_id'),
    cookie: deps.cookies.read().inviterId,
    fallback: distribution?.default_inviter_id,
  })
}

/**
 * Waits until the site is read; then makes it when it has no origin. Rejects when that failed.
 * @returns whether it had an origin before: the first person of a new site is taken to its page (spec §4)
 */
export async function ensureSiteOrigin(site: SiteActor): Promise<{hasOrigin: boolean}> {
  const isDecided = (snapshot: {hasTag: (tag: 'decided') => boolean}) => snapshot.hasTag('decided')
  const before = await waitFor(site, isDecided)
  if (before.context.site?.origin) return {hasOrigin: true}
  site.send({type: 'site.initialize'})
  const {context} = await waitFor(site, isDecided)
  if (!context.site?.origin) {
    throw new ApiError(context.failure ?? {code: 'unknown', detail: 'The site has no origin.'})
  }
  return {hasOrigin: false}
}

type Lookup = {site: () => SiteActor | undefined; user: () => User | undefined}

/** Fills the ports of `auth`: the token endpoint, the login page, storage and the other tabs. */
export function createAuthLogic(deps: RootDeps, {oauth, managementAs}: Services, lookup: Lookup) {
  const {config, state, bulk, tabs, transactions, lock, timers} = deps
  const offersPkce = config.capabilities.includes('pkce')

  const keepToken = (token: SessionToken) => {
    state.save({token})
    if (state.flush()) tabs.tell({type: 'token.stored', epoch: state.epoch()})
    return token
  }

  /** `isKept`: this browser will know the answer of the login page as one it asked for. */
  const loginAddress = async (returnPath: string): Promise<{login: string; isKept: boolean}> => {
    const siteContext = lookup.site()?.getSnapshot().context
    const address = {
      auth: config.auth,
      hub: config.hub,
      site: siteContext?.site?.origin ?? siteContext?.origin ?? deps.address().origin,
      inviterId: currentInviter(deps, lookup.site()),
      returnPath,
    }
    if (!offersPkce) return {login: loginUrl(address), isKept: true}
    const secret = deps.createSecret()
    const verifier = deps.createSecret()
    const extension = {
      state: secret,
      challenge: await deps.createChallenge(verifier),
      language: deps.cookies.read().locale,
      theme: deps.cookies.read().theme,
    }
    const redirectUri = callbackUrl({hub: config.hub, returnPath, extension})
    const isKept = transactions.begin({state: secret, verifier, returnPath, redirectUri, createdAt: timers.now()})
    return {login: loginUrl({...address, extension}), isKept}
  }

  const leave = async ({reason, returnPath, isForced}: LoginInput): Promise<LoginStart> => {
    const now = timers.now()
    if (!isForced && isLoginLoop(transactions.redirects(now), now)) return {kind: 'loop'}
    const path = returnPath ?? herePath(deps)
    const {login, isKept} = await loginAddress(path)
    // whoever signs in from a browser that keeps nothing comes back a stranger, and would be sent away again
    if (!isForced && !isKept) return {kind: 'loop'}
    transactions.noteRedirect(now)
    state.flush()
    await bulk.flush()
    const afterLogout = offersPkce ? login : plainLoginUrl(config.auth, deps.address().href)
    if (reason === 'logout') deps.navigate(logoutUrl(config.auth, afterLogout))
    else deps.navigate(reason === 'absent' ? logoutUrl(config.auth, login, offersPkce) : login)
    return {kind: 'leaving'}
  }

  return authMachine.provide({
    actions: {
      forgetAccess: (_, {user}) => state.save(withoutAccess(state.read(), user?.id)),
      logSignOutFailure: (_, {error}) => deps.log('The sign-out did not finish', {...toFailure(error)}),
    },
    actors: {
      sleepUntil: createSleepUntil(timers),
      exchangeCode: fromPromise<SessionToken, LoginCode>(async ({input, signal}) => {
        const {code, verifier, redirectUri} = input
        const response = await oauth.exchangeCode(offersPkce ? {code, verifier, redirectUri} : {code}, signal)
        transactions.forgetRedirects()
        return keepToken(toSessionToken(response, timers.now()))
      }),
      fetchUser: fromPromise<User, {access: string}>(({input, signal}) => managementAs(input.access).users.me(signal)),
      refreshToken: fromPromise<SessionToken, {token: SessionToken}>(({input: {token}, signal}) =>
        lock('refresh', async () => {
          // a sibling tab may have refreshed while this one waited for the lock (security R15)
          const stored = state.read().token
          if (stored !== undefined && isNewerToken(stored, token)) return stored
          return keepToken(toSessionToken(await oauth.refresh(token.refresh ?? '', signal), timers.now()))
        }),
      ),
      endSession: fromPromise<{epoch: number}, {token?: SessionToken}>(async ({input: {token}}) => {
        const userId = lookup.user()?.id
        const epoch = state.endSession()
        tabs.tell({type: 'session.ended', epoch})
        if (token?.refresh !== undefined && config.capabilities.includes('refresh')) {
          await oauth.revoke(token.refresh, AbortSignal.timeout(revokePatience)).catch((error: unknown) => {
            deps.log('The server was not told of the sign-out', {error: String(error)})
          })
        }
        // signed out is signed out: what could not be removed here does not bring the session back
        if (userId !== undefined) {
          await bulk.clearUser(userId).catch((error: unknown) => {
            deps.log('Data of the person may have stayed in this browser', {error: String(error)})
          })
        }
        return {epoch}
      }),
      startLogin: fromPromise<LoginStart, LoginInput>(({input}) => leave(input)),
      initializeSite: fromPromise<{hasOrigin: boolean}, undefined>(async () => {
        const site = lookup.site()
        return site === undefined ? {hasOrigin: false} : await ensureSiteOrigin(site)
      }),
      reloadPage: fromPromise<void, {toSite: boolean}>(async ({input: {toSite}}) => {
        state.flush()
        await bulk.flush()
        if (toSite) deps.navigate('/site')
        else deps.reload()
      }),
    },
  })
}
