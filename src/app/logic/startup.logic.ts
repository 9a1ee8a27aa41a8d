import {fromPromise} from 'xstate'
import {fingerprintOf} from '#browser/fingerprint.ts'
import {dateSubdomain} from '#domain/date-subdomain.ts'
import {toFailure} from '#domain/failure.ts'
import {toInviterId} from '#domain/inviter-order.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {PreferencesActor} from '#machines/preferences/preferences.machine.ts'
import {startupMachine} from '#machines/startup/startup.machine.ts'
import type {PreparedPage} from '#machines/startup/startup.types.ts'
import type {RootDeps} from './root-deps.ts'

/** Inviter, theme and locale into cookies (spec §4); the address as it was opened, without its code. */
function preparePage(deps: RootDeps, preferences: PreferencesActor | undefined): PreparedPage {
  if (preferences === undefined) throw new Error('The actor "preferences" is not running')
  const {cookies, loginReturn, timers, page, state} = deps
  const {locale, theme, followsSystem} = preferences.getSnapshot().context
  const inviterId = toInviterId(deps.address().searchParams.get('inviter_id'))
  if (inviterId !== undefined) cookies.writeInviter(inviterId)
  cookies.writeTheme(theme)
  cookies.writeLocale(locale)
  page.setTheme(theme)
  state.save({setting: {...state.read().setting, followsSystem}})

  const redirectTo = dateSubdomain(deps.address().href, deps.userAgent, new Date(timers.now()))
  if (redirectTo !== undefined) return {redirectTo}
  return loginReturn === undefined ? {} : {code: loginReturn}
}

/**
 * Fills the ports of `startup`.
 * @param announce the id of this browser is known: calls carry it from then on (spec §6)
 */
export function createStartupLogic(deps: RootDeps, announce: (fingerprint: string) => void) {
  const {state} = deps
  return startupMachine.provide({
    actors: {
      preparePage: fromPromise<PreparedPage, undefined>(async ({system}) =>
        preparePage(deps, findActor<PreferencesActor>(system, 'preferences')),
      ),
      leavePage: fromPromise<void, {url: string}>(async ({input: {url}}) => deps.navigate(url)),
      findFingerprint: fromPromise<void, undefined>(async () => {
        const storedFingerprint = state.read().fingerprint
        const fingerprint = fingerprintOf(storedFingerprint, deps.createUuid)
        if (fingerprint !== storedFingerprint) state.save({fingerprint})
        announce(fingerprint)
      }),
    },
    actions: {logFailure: (_, {error}) => deps.log('A step of the start failed', {...toFailure(error)})},
  })
}
