import {initialTransition} from 'xstate'
import {authMachine, type AuthSnapshot} from '#machines/auth/auth.machine.ts'
import type {AuthInput, LoginFlow} from '#machines/auth/auth.types.ts'
import {graphOf, leavesOf, sender, type Chart, type LeafOf} from './chart-walk.ts'

/** The state that takes the code reads this tab's storage and settles in the turn it begins in: no page rests in it. */
export type Passing = 'claiming'
/** Those that `always` leads on from. */
export type Transient = 'resuming' | 'expired' | 'signedIn.deciding'
/** The states that a user can tell apart, and `no page` before one is opened. */
export type Shown =
  | Exclude<LeafOf<typeof authMachine>, Passing | Transient>
  | 'no page'
  | 'identifying a token that lasts'
  | 'signedOut after a failure'
  | 'redirecting.starting after signing out'
  | 'popup.open after a failure'

export type Sign = AuthSnapshot | undefined
export type Effect = (snapshot: Sign) => Sign

export const send = sender(authMachine)
export const refused = {actorId: '', error: {status: 401, code: 'unauthorized', detail: 'foo'}}
export const failed = {actorId: '', error: {status: 404, code: 'not_found', detail: 'foo'}}
export const user = {id: 'u'}
export const tokenOf = (access: string) => ({
  access,
  refresh: 'r',
  expiration: 900,
  receivedAt: 1,
  refreshAt: 1,
  userId: 'u',
})
export const {refresh: _, ...lasting} = tokenOf('a')

export const begin = (flow: LoginFlow, restored: AuthInput['restored'] = {}) => {
  // as: nobody hears the facts of the machine here, and the browser is not asked
  const input = {environment: {}, parentRef: {send: () => undefined}, flow, epoch: 0, canRefresh: true, restored}
  return initialTransition(authMachine, input as unknown as AuthInput)[0]
}

export function shownBy(snapshot: Sign): Shown {
  if (snapshot === undefined) return 'no page'
  const {token, reason, failure} = snapshot.context
  if (snapshot.matches('identifying') && token?.refresh === undefined) return 'identifying a token that lasts'
  if (snapshot.matches('signedOut') && failure !== undefined) return 'signedOut after a failure'
  if (snapshot.matches({redirecting: 'starting'}) && reason === 'logout')
    return 'redirecting.starting after signing out'
  if (snapshot.matches({popup: 'open'}) && failure !== undefined) return 'popup.open after a failure'
  return leavesOf(snapshot.value)[0] as Shown // as: the other leaves are shown under their name
}

export const where =
  (shown: readonly Shown[], then: (snapshot: AuthSnapshot) => AuthSnapshot): Effect =>
  (snapshot) =>
    snapshot !== undefined && shown.includes(shownBy(snapshot)) ? then(snapshot) : undefined
export const open =
  (then: () => AuthSnapshot): Effect =>
  (snapshot) =>
    snapshot === undefined ? then() : undefined

/** Start-up asks for the login where nobody is signed in. */
export const askForLogin = (snapshot: AuthSnapshot) =>
  snapshot.matches('signedOut') ? send(snapshot, {type: 'login.request'}) : snapshot

export const fetching = ['identifying', 'identifying a token that lasts', 'confirming', 'popup.identifying'] as const
/** The end of the actor that reads the user, whichever state asked. */
export const readUser = (snapshot: AuthSnapshot, end: {output: typeof user} | typeof failed) => {
  const id = snapshot.matches('popup') ? 'fetchPopupUser' : 'fetchUser'
  return 'output' in end
    ? send(snapshot, {type: `xstate.done.actor.${id}`, actorId: '', ...end})
    : send(snapshot, {type: `xstate.error.actor.${id}`, ...end})
}

// ---- by navigation -----------------------------------------------------------------------------------------------

export type Action =
  | 'open while cookies are forbidden'
  | 'open with a session'
  | 'open with a token that lasts'
  | 'open with nothing'
  | 'retry'
  | 'user comes'
  | 'user is refused'
  | 'user does not come'
  | 'token comes'
  | 'token is refused'
  | 'token does not come'
  | 'time to refresh comes'
  | 'wait ends'
  | 'another tab signs out'
  | 'sign out'
  | 'sign-out ends'
  | 'way to the login comes'
  | 'way to the login comes once too often'
  | 'way to the login does not come'
  | 'ask again'
  | 'sign in'

export const starting = ['redirecting.starting', 'redirecting.starting after signing out'] as const
export const renewals = {
  renewing: 'renewToken',
  'signedIn.refreshing': 'refreshToken',
  exchanging: 'exchangeCode',
} as const
export const renewing = ['renewing', 'signedIn.refreshing', 'exchanging'] as const
export const endToken = (snapshot: AuthSnapshot, end: {output: ReturnType<typeof tokenOf>} | typeof failed) => {
  const id = renewals[shownBy(snapshot) as keyof typeof renewals] // as: one of `renewing`
  return 'output' in end
    ? send(snapshot, {type: `xstate.done.actor.${id}`, actorId: '', ...end})
    : send(snapshot, {type: `xstate.error.actor.${id}`, ...end})
}
export const toSignIn = (kind: 'leaving' | 'loop') => (snapshot: AuthSnapshot) =>
  send(snapshot, {
    type: `xstate.done.actor.${snapshot.matches({redirecting: 'forcing'}) ? 'forceLogin' : 'startLogin'}`,
    actorId: '',
    output: {kind},
  })

export const redirect: Chart<Sign, Action, Shown> = {
  start: () => undefined,
  shownBy,
  effects: {
    'open while cookies are forbidden': open(() => begin('redirect', {token: tokenOf('a')})),
    'open with a session': open(() => send(begin('redirect', {token: tokenOf('a')}), {type: 'session.resume'})),
    'open with a token that lasts': open(() => send(begin('redirect', {token: lasting}), {type: 'session.resume'})),
    'open with nothing': open(() => askForLogin(send(begin('redirect'), {type: 'session.resume'}))),
    retry: where(['undecided', 'unreachable'], (snapshot) => send(snapshot, {type: 'session.resume'})),
    'user comes': where(fetching, (snapshot) => readUser(snapshot, {output: user})),
    'user is refused': where(['identifying', 'confirming'], (snapshot) => askForLogin(readUser(snapshot, refused))),
    'user does not come': where(['identifying', 'confirming'], (snapshot) => readUser(snapshot, failed)),
    'token comes': where(renewing, (snapshot) => endToken(snapshot, {output: tokenOf('b')})),
    'token is refused': where(renewing, (snapshot) => {
      const next = endToken(snapshot, refused)
      // a code that was spent in vain is told; nothing is asked for instead
      return next.context.failure === undefined ? askForLogin(next) : next
    }),
    'token does not come': where(['renewing', 'signedIn.refreshing'], (snapshot) => endToken(snapshot, failed)),
    'time to refresh comes': where(['signedIn.fresh'], (snapshot) =>
      send(snapshot, {type: 'xstate.done.actor.sleepUntil', actorId: ''}),
    ),
    'wait ends': where(['signedIn.waiting'], (snapshot) =>
      send(snapshot, {type: 'xstate.after.refreshDelay.auth.signedIn.waiting'}),
    ),
    'another tab signs out': where(['signedIn.fresh'], (snapshot) => send(snapshot, {type: 'session.ended', epoch: 1})),
    'sign out': where(['signedIn.fresh'], (snapshot) => send(snapshot, {type: 'logout.request'})),
    'sign-out ends': where(['signingOut'], (snapshot) =>
      send(snapshot, {type: 'xstate.done.actor.endSession', actorId: '', output: {epoch: 1}}),
    ),
    'way to the login comes': where([...starting, 'redirecting.forcing'], toSignIn('leaving')),
    'way to the login comes once too often': where(['redirecting.starting'], toSignIn('loop')),
    'way to the login does not come': where(['redirecting.starting after signing out'], (snapshot) =>
      send(snapshot, {type: 'xstate.after.callDeadline.auth.redirecting.starting'}),
    ),
    'ask again': where(['redirecting.failed', 'redirecting.looping'], (snapshot) => {
      const next = send(snapshot, {type: 'login.request'})
      // what leads there has come already
      return snapshot.matches({redirecting: 'looping'}) ? toSignIn('leaving')(next) : next
    }),
    'sign in': where(['redirecting.leaving'], () =>
      send(
        begin('redirect'),
        {type: 'code.received', code: 'c', state: 's'},
        {type: 'xstate.done.actor.claimCode', actorId: '', output: {code: 'c', isOurs: true}},
      ),
    ),
  },
}

export const redirectGraph = graphOf(redirect)

export type DialogAction = 'open' | 'sign in' | 'user comes' | 'user does not come' | 'site is made' | 'site is refused'

export const endSite = (
  snapshot: AuthSnapshot,
  output: {hadOrigin: boolean; failure?: {code: string; detail: string}},
) => send(snapshot, {type: 'xstate.done.actor.siteOrigin', actorId: '', output})

export const dialogFlow: Chart<Sign, DialogAction, Shown> = {
  start: () => undefined,
  shownBy,
  effects: {
    open: open(() => askForLogin(send(begin('popup'), {type: 'session.resume'}))),
    'sign in': where(['popup.open', 'popup.open after a failure'], (snapshot) =>
      send(snapshot, {type: 'login.received', token: tokenOf('a')}),
    ),
    'user comes': where(['popup.identifying'], (snapshot) => readUser(snapshot, {output: user})),
    'user does not come': where(['popup.identifying'], (snapshot) => readUser(snapshot, failed)),
    'site is made': where(['popup.initializing'], (snapshot) => endSite(snapshot, {hadOrigin: false})),
    'site is refused': where(['popup.initializing'], (snapshot) =>
      endSite(snapshot, {hadOrigin: false, failure: failed.error}),
    ),
  },
}

export const dialogGraph = graphOf(dialogFlow)
