import {enqueueActions, fromPromise, waitFor} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import {fingerprintOf} from '#browser/fingerprint.ts'
import {dateSubdomain} from '#domain/date-subdomain.ts'
import {isRefusal, lostContact, toFailure} from '#domain/failure.ts'
import {toInviterId} from '#domain/inviter-order.ts'
import type {AuthActor} from '#machines/auth/auth.machine.ts'
import type {LoginCode} from '#machines/auth/auth.types.ts'
import type {PreferencesActor} from '#machines/preferences/preferences.machine.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import {startupMachine} from '#machines/startup/startup.machine.ts'
import type {PreparedPage, SessionDecision} from '#machines/startup/startup.types.ts'
import {ensureSiteOrigin} from './auth.logic.ts'
import type {RootDeps} from './root-deps.ts'

type Lookup = {
  auth: () => AuthActor | undefined
  site: () => SiteActor | undefined
  preferences: () => PreferencesActor | undefined
}

const need = <T>(actor: T | undefined, name: string): T => {
  if (actor === undefined) throw new Error(`The actor "${name}" is not running`)
  return actor
}

/** Inviter, theme and locale into cookies (spec §4); the code becomes a transaction's or a stranger's (security R09). */
function preparePage(deps: RootDeps, preferences: PreferencesActor): PreparedPage {
  const {cookies, loginReturn, transactions, timers, page, state} = deps
  const {locale, theme, followsSystem} = preferences.getSnapshot().context
  const inviterId = toInviterId(deps.address().searchParams.get('inviter_id'))
  if (inviterId !== undefined) cookies.writeInviter(inviterId)
  cookies.writeTheme(theme)
  cookies.writeLocale(locale)
  page.setTheme(theme)
  state.save({setting: {...state.read().setting, followsSystem}})

  const redirectTo = dateSubdomain(deps.address().href, deps.userAgent, new Date(timers.now()))
  if (redirectTo !== undefined) return {redirectTo}
  if (loginReturn === undefined) return {}
  const transaction = transactions.claim(loginReturn.state, timers.now())
  const code: LoginCode = {
    code: loginReturn.code,
    isOurs: transaction !== undefined,
    ...(transaction && {verifier: transaction.verifier, redirectUri: transaction.redirectUri}),
  }
  return {code}
}

/**
 * Fills the ports of `startup`: it asks the other actors of the root and waits for what they decide.
 * @param announce the id of this browser is known: calls carry it from then on (spec §6)
 */
export function createStartupLogic(deps: RootDeps, lookup: Lookup, announce: (fingerprint: string) => void) {
  const {state, config} = deps
  // without PKCE the auth service gives no state back: its code cannot be told from a stranger's and never replaces a session
  const hasTransactions = config.capabilities.includes('pkce')
  return startupMachine.provide({
    actors: {
      preparePage: fromPromise<PreparedPage, undefined>(async () =>
        preparePage(deps, need(lookup.preferences(), 'preferences')),
      ),
      leavePage: fromPromise<void, {url: string}>(async ({input: {url}}) => deps.navigate(url)),
      loadSite: fromPromise<{hasOrigin: boolean}, undefined>(async () => {
        const decided = await waitFor(need(lookup.site(), 'site'), (snapshot) => snapshot.hasTag('decided'))
        const hasOrigin = Boolean(decided.context.site?.origin)
        // a site that could not be read is no site without an origin: nothing is made in its place
        if (!hasOrigin && decided.matches('failed'))
          throw new ApiError(decided.context.failure ?? lostContact('No site.'))
        return {hasOrigin}
      }),
      decideSession: fromPromise<SessionDecision, {code?: LoginCode}>(async ({input: {code}}) => {
        const auth = need(lookup.auth(), 'auth')
        const isUsable = code !== undefined && (code.isOurs || !hasTransactions)
        auth.send(isUsable ? {type: 'code.received', ...code} : {type: 'session.resume'})
        const decided = await waitFor(
          auth,
          (snapshot) => !snapshot.hasTag('undecided') || snapshot.hasTag('unreachable'),
        )
        return {
          authenticated: decided.hasTag('authenticated'),
          isUnreachable: decided.hasTag('unreachable'),
          failure: decided.context.failure,
        }
      }),
      findFingerprint: fromPromise<void, undefined>(async () => {
        const stored = state.read().fingerprint
        const fingerprint = fingerprintOf(stored, deps.createUuid)
        if (fingerprint !== stored) state.save({fingerprint})
        announce(fingerprint)
      }),
      initializeSite: fromPromise<void, undefined>(async () => {
        await ensureSiteOrigin(need(lookup.site(), 'site')).catch((error: unknown) => {
          // only a refusal leads to the login (spec §7); a server out of reach ends no session (security R17)
          if (isRefusal(toFailure(error))) throw error
          deps.log('The site was not initialized', {error: String(error)})
        })
      }),
      requestLogin: fromPromise<void, undefined>(async () => {
        need(lookup.auth(), 'auth').send({type: 'login.request'})
      }),
    },
    actions: {
      logFailure: (_, {error}) => deps.log('A step of the start failed', {error: String(error)}),
      requestRate: enqueueActions(({enqueue}) => {
        const preferences = lookup.preferences()
        if (preferences !== undefined) enqueue.sendTo(preferences, {type: 'rate.request'})
      }),
    },
  })
}
