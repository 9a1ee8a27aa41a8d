import {assign, enqueueActions, sendTo, setup} from 'xstate'
import type {User} from '#contract/management.ts'
import {backoffDelay} from '#domain/backoff.ts'
import {endsSession, toFailure} from '#domain/failure.ts'
import type {LoginReturn} from '#domain/login-return.ts'
import {isNewerToken, type SessionToken} from '#domain/session-token.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {unfilledAction, promisePort, streamPort} from '#machines/lib/ports.ts'
import {sleepUntilPort} from '#machines/lib/sleep-until.ts'
import {siteOriginMachine, type SiteOriginOutput} from '#machines/site/site-origin.machine.ts'
import type {
  AuthContext,
  AuthEvent,
  AuthInput,
  AuthTag,
  LoginCode,
  LoginFrameFact,
  LoginInput,
  LoginReason,
  LoginStart,
} from './auth.types.ts'

/** The token of a fresh sign-in does not name its user. */
const isTokenOf = ({userId}: SessionToken, user: User | undefined) => userId !== undefined && userId === user?.id

/** Ports, guards, delays and actions of the auth chart. */
export const authSetup = setup({
  types: {
    input: {} as AuthInput,
    context: {} as AuthContext,
    events: {} as AuthEvent,
    tags: {} as AuthTag,
  },
  actors: {
    environmentChanges,
    /** Takes the login transaction of a code; undefined for a code that another browser or page asked for. */
    claimCode: promisePort<LoginCode | undefined, LoginReturn>('claimCode'),
    exchangeCode: promisePort<SessionToken, LoginCode>('exchangeCode'),
    fetchUser: promisePort<User, {access: string}>('fetchUser'),
    /** Single flight over all tabs; answers with a sibling's token when that one is newer (security R15). */
    refreshToken: promisePort<SessionToken, {token: SessionToken}>('refreshToken'),
    /** Clears all that belongs to the user, tells the other tabs, revokes; answers with the new epoch. */
    endSession: promisePort<{epoch: number}, {token?: SessionToken}>('endSession'),
    startLogin: promisePort<LoginStart, LoginInput>('startLogin'),
    /** Messages of the embedded login page, exactly while it is shown (security R14). */
    loginMessages: streamPort<LoginFrameFact>('loginMessages'),
    siteOrigin: siteOriginMachine,
    /** Saves drafts, goes to the site page where a site has no origin, and reloads; a page that keeps nothing stays. */
    reloadPage: promisePort<{isLeaving: boolean}, {toSite: boolean}>('reloadPage'),
    sleepUntil: sleepUntilPort(),
  },
  delays: {
    callDeadline: 15_000,
    endDeadline: 3_000,
    leaveDeadline: 15_000,
    refreshDeadline: 30_000,
    refreshDelay: ({context}) => backoffDelay(context.attempts, 0.5),
  },
  guards: {
    hasToken: ({context}) => context.token !== undefined,
    hasUser: ({context}) => context.user !== undefined,
    /** A code that no transaction of this browser asked for never replaces a session (security R09). */
    mayExchange: ({context}, {output}: {output: LoginCode | undefined}) =>
      output !== undefined && (output.isOurs || context.token === undefined),
    isPopup: ({context}) => context.flow === 'popup',
    canRefresh: ({context}) => context.canRefresh && context.token?.refresh !== undefined,
    endsSession: (_, {error}: {error: unknown}) => endsSession(toFailure(error)),
    mayRenew: ({context}, {error}: {error: unknown}) =>
      endsSession(toFailure(error)) && context.canRefresh && context.token?.refresh !== undefined,
    isCurrentAccess: ({context}, {access}: {access: string}) => context.token?.access === access,
    isAdoptable: ({context}, {token, epoch}: {token: SessionToken; epoch: number}) =>
      epoch >= context.epoch && isNewerToken(token, context.token),
    isAdoptableOwn: ({context}, {token, epoch}: {token: SessionToken; epoch: number}) =>
      epoch >= context.epoch && isNewerToken(token, context.token) && isTokenOf(token, context.user),
    isOwnToken: ({context}, {token}: {token: SessionToken}) => isTokenOf(token, context.user),
    isOwnUser: ({context}, {user}: {user: User}) => user.id === context.user?.id,
    isNewerEpoch: ({context}, {epoch}: {epoch: number}) => epoch > context.epoch,
    isLeaving: (_, {output}: {output: {isLeaving: boolean}}) => output.isLeaving,
    hasFailed: (_, {output}: {output: SiteOriginOutput}) => output.failure !== undefined,
    hadOrigin: (_, {output}: {output: SiteOriginOutput}) => output.hadOrigin,
    isLoop: (_, {output}: {output: LoginStart}) => output.kind === 'loop',
  },
  actions: {
    storeCode: assign((_, {output}: {output: LoginCode | undefined}) => ({code: output, failure: undefined})),
    clearCode: assign({code: undefined}),
    storeToken: assign((_, {token}: {token: SessionToken}) => ({token, failure: undefined, attempts: 0})),
    storeAdopted: assign((_, {token, epoch}: {token: SessionToken; epoch: number}) => ({token, epoch, attempts: 0})),
    /** Only the token identifies the user: the previous user may not be the owner of a new token. */
    forgetOther: assign(({context: {token, user}}) => (token?.userId === user?.id ? {} : {user: undefined})),
    clearToken: assign({token: undefined}),
    changeUser: assign((_, {user}: {user: User}) => ({user, failure: undefined})),
    storeUser: assign((_, {user}: {user: User}) => ({user, failure: undefined})),
    storeEpoch: assign((_, {epoch}: {epoch: number}) => ({epoch})),
    clearSession: assign({token: undefined, user: undefined, code: undefined, qrLink: undefined}),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined}),
    countAttempt: assign(({context}) => ({attempts: context.attempts + 1})),
    storeQr: assign((_, {link}: {link: string}) => ({qrLink: link})),
    clearQr: assign({qrLink: undefined}),
    storeReturn: assign((_, {returnPath}: {returnPath?: string}) => ({returnPath, failure: undefined})),
    storeReason: assign((_, {reason}: {reason: LoginReason}) => ({reason})),
    tellOpened: enqueueActions(({enqueue, context: {user, epoch, parentRef}}) => {
      if (user !== undefined) enqueue.sendTo(parentRef, {type: 'session.opened', user, epoch})
    }),
    /** Port: signing out went on without what failed. */
    logSignOutFailure: (_, _params: {error: unknown}) => unfilledAction('logSignOutFailure'),
    tellRenewed: sendTo(({context}) => context.parentRef, {type: 'token.renewed'}),
    tellClosed: sendTo(({context}) => context.parentRef, {type: 'session.closed'}),
    /** Port: the page opens without a session. The storage keeps the last user's id, and no token or credential. */
    forgetAccess: (_, _params: {user?: User}) => unfilledAction('forgetAccess'),
  },
})
