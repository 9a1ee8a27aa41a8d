import {map} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import type {User} from '#contract/management.ts'
import {toFailure} from '#domain/failure.ts'
import type {LoginReturn} from '#domain/login-return.ts'
import {isNewerToken, toSessionToken, type SessionToken} from '#domain/session-token.ts'
import {leaveFavourites, withoutAccess} from '#domain/state-owner.ts'
import {authMachine} from '#machines/auth/auth.machine.ts'
import type {LoginCode, LoginFrameFact, LoginInput, LoginStart} from '#machines/auth/auth.types.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import {createSleepUntil} from '#machines/lib/sleep-until.ts'
import {loadPart} from '#ui/load-part.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

/** How long a sign-out waits for the server to confirm; the user is signed out here at once. */
const revokePatience = 2_000

type AuthLookup = {
  site: () => SiteActor | undefined
  user: () => User | undefined
  /** `state` of the attempt that the embedded login page shows. */
  frameState: () => string | undefined
}

/** Fills the ports of `auth`: the token endpoint, the login page, storage and the other tabs. */
export function createAuthLogic(deps: RootDeps, {oauth, managementAs}: Services, lookup: AuthLookup) {
  const {config, state, bulk, tabs, transactions, lock, timers} = deps
  const offersPkce = config.capabilities.includes('pkce')

  const keepToken = (token: SessionToken) => {
    state.save({token})
    if (state.flush()) tabs.tell({type: 'token.stored', epoch: state.epoch()})
    return token
  }

  return authMachine.provide({
    actions: {
      forgetAccess: (_, {user}) => state.save(withoutAccess(state.read(), user?.id)),
      logSignOutFailure: (_, {error}) => deps.log('The sign-out did not finish', {...toFailure(error)}),
    },
    actors: {
      sleepUntil: createSleepUntil(timers),
      claimCode: fromPromise<LoginCode | undefined, LoginReturn>(async ({input: {code, state: secret}}) => {
        const transaction = (await transactions()).claim(secret, timers.now())
        if (transaction === undefined) return offersPkce ? undefined : {code, isOurs: false}
        const {verifier, redirectUri} = transaction
        return {code, isOurs: true, verifier, redirectUri}
      }),
      exchangeCode: fromPromise<SessionToken, LoginCode>(async ({input, signal}) => {
        const {code, verifier, redirectUri} = input
        const response = await oauth.exchangeCode(offersPkce ? {code, verifier, redirectUri} : {code}, signal)
        ;(await transactions()).forgetRedirects()
        // the user before is not the owner of this token
        state.save({user: undefined})
        return keepToken(toSessionToken(response, timers.now()))
      }),
      loginMessages: fromEventObservable<LoginFrameFact, undefined>(() =>
        deps
          .loginMessages$(lookup.frameState)
          .pipe(
            map((message) =>
              message.name === 'login'
                ? {type: 'login.received', token: toSessionToken(message.data, timers.now())}
                : {type: 'qr.received', link: message.data.qrLink},
            ),
          ),
      ),
      fetchUser: fromPromise<User, {access: string}>(({input, signal}) => managementAs(input.access).users.me(signal)),
      refreshToken: fromPromise<SessionToken, {token: SessionToken}>(({input: {token}, signal}) =>
        lock('refresh', async () => {
          // a sibling tab may have refreshed while this one waited for the lock (security R15)
          const storedToken = state.read().token
          if (storedToken !== undefined && isNewerToken(storedToken, token)) return storedToken
          const userId = lookup.user()?.id
          const response = await oauth.refresh(token.refresh ?? '', signal)
          return keepToken({...toSessionToken(response, timers.now()), ...(userId !== undefined && {userId})})
        }),
      ),
      endSession: fromPromise<{epoch: number}, {token?: SessionToken}>(async ({input: {token}, signal}) => {
        const userId = lookup.user()?.id
        state.flush()
        state.save(leaveFavourites(state.read()))
        const epoch = state.endSession()
        tabs.tell({type: 'session.ended', epoch})
        const revoke = async () => {
          if (token?.refresh === undefined || !config.capabilities.includes('refresh')) return
          await oauth.revoke(token.refresh, AbortSignal.timeout(revokePatience)).catch((error: unknown) => {
            deps.log('The server was not told of the sign-out', {error: String(error)})
          })
        }
        // signed out is signed out: what could not be removed here does not bring the session back
        const clear = async () => {
          if (userId === undefined) return
          await bulk.clearUser(userId).catch((error: unknown) => {
            deps.log('Data of the user may have stayed in this browser', {error: String(error)})
          })
        }
        // neither a slow server nor a slow database leaves the other no time
        await Promise.all([clear(), revoke()])
        // a draft may have been typed until the server answered; past the deadline the next session may have begun
        if (!signal.aborted) await clear()
        return {epoch}
      }),
      startLogin: fromPromise<LoginStart, LoginInput>(async ({input}) => {
        const {leaveToLogin} = await loadPart(() => import('./leave-to-login.ts'))
        return leaveToLogin(deps, lookup.site(), input)
      }),
      reloadPage: fromPromise<{isLeaving: boolean}, {toSite: boolean}>(async ({input: {toSite}}) => {
        state.flush()
        await bulk.flush()
        if (state.isVolatile()) return {isLeaving: false}
        if (toSite) deps.navigate('/site')
        else deps.reload()
        return {isLeaving: true}
      }),
    },
  })
}
