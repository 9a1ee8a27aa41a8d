import {type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {refreshAfter} from '#domain/session-token.ts'
import {authSetup} from './auth.setup.ts'

const timeout = {error: {name: 'TimeoutError', message: 'The server did not answer in time.'}}

const accepting = authSetup.createStateConfig({
  on: {
    'login.request': [
      {
        guard: 'isPopup',
        target: '#auth.popup',
        actions: [{type: 'storeReturn', params: ({event}) => event}],
      },
      {
        target: '#auth.redirecting',
        actions: [
          {type: 'storeReturn', params: ({event}) => event},
          {type: 'storeReason', params: {reason: 'login'}},
        ],
      },
    ],
    'token.adopted': {
      guard: {type: 'isAdoptable', params: ({event}) => event},
      target: '#auth.identifying',
      actions: [{type: 'storeAdopted', params: ({event}) => event}, 'clearFailure'],
    },
  },
})

const signedIn = authSetup.createStateConfig({
  tags: ['authenticated'],
  entry: ['tellOpened'],
  exit: ['tellClosed'],
  on: {
    'logout.request': {target: 'signingOut'},
    'login.request': {
      target: 'expired',
      actions: [{type: 'storeReturn', params: ({event}) => event}],
    },
    'session.ended': {
      guard: {type: 'isNewerEpoch', params: ({event}) => event},
      target: 'signedOut',
      actions: ['clearSession', {type: 'storeEpoch', params: ({event}) => event}],
    },
    'token.adopted': {
      guard: {type: 'isAdoptable', params: ({event}) => event},
      target: '.deciding',
      actions: [{type: 'storeAdopted', params: ({event}) => event}],
    },
    'user.changed': {actions: [{type: 'storeUser', params: ({event}) => event}]},
  },
  initial: 'deciding',
  states: {
    deciding: {always: [{guard: 'canRefresh', target: 'fresh'}, {target: 'lasting'}]},
    fresh: {
      invoke: {
        id: 'sleepUntil',
        src: 'sleepUntil',
        input: ({context: {token}}) => ({at: token?.refreshAt ?? 0, atMost: refreshAfter(token?.expiration ?? 0)}),
        onDone: {target: 'refreshing'},
        onError: {target: 'refreshing'},
      },
      on: {
        'token.rejected': {guard: {type: 'isCurrentAccess', params: ({event}) => event}, target: 'refreshing'},
      },
    },
    lasting: {
      description: 'The auth service offers no refresh: the token lasts until a call is answered 401.',
      on: {
        'token.rejected': {guard: {type: 'isCurrentAccess', params: ({event}) => event}, target: '#auth.expired'},
      },
    },
    refreshing: {
      invoke: {
        id: 'refreshToken',
        src: 'refreshToken',
        input: ({context: {token}}) => ({token: token ?? {access: '', expiration: 0, receivedAt: 0, refreshAt: 0}}),
        onDone: {target: 'deciding', actions: [{type: 'storeToken', params: ({event}) => ({token: event.output})}]},
        onError: [
          {guard: {type: 'endsSession', params: ({event}) => event}, target: '#auth.expired'},
          {target: 'waiting', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      after: {refreshDeadline: {target: 'waiting', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    waiting: {
      entry: ['countAttempt'],
      after: {refreshDelay: {target: 'refreshing'}},
      on: {'connection.restored': {target: 'refreshing'}},
    },
  },
})

const redirecting = authSetup.createStateConfig({
  on: {
    'token.adopted': {
      guard: {type: 'isAdoptable', params: ({event}) => event},
      target: 'identifying',
      actions: [{type: 'storeAdopted', params: ({event}) => event}],
    },
  },
  initial: 'starting',
  states: {
    starting: {
      tags: ['leaving'],
      invoke: {
        id: 'startLogin',
        src: 'startLogin',
        input: ({context: {reason, returnPath}}) => ({reason, returnPath, isForced: false}),
        onDone: [{guard: {type: 'isLoop', params: ({event}) => event}, target: 'looping'}, {target: 'leaving'}],
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    forcing: {
      tags: ['leaving'],
      description: 'The person asked again after the loop breaker or a failure.',
      invoke: {
        id: 'forceLogin',
        src: 'startLogin',
        input: ({context: {reason, returnPath}}) => ({reason, returnPath, isForced: true}),
        onDone: {target: 'leaving'},
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    leaving: {
      tags: ['leaving'],
      after: {leaveDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
      on: {'page.restored': {target: '#auth.signedOut'}},
    },
    looping: {
      tags: ['loop'],
      description: 'More than three redirects within a minute: the page stays and says so (security R11).',
      on: {'login.request': {target: 'forcing'}},
    },
    failed: {on: {'login.request': {target: 'forcing', actions: ['clearFailure']}}},
  },
})

const popup = authSetup.createStateConfig({
  initial: 'open',
  states: {
    open: {
      tags: ['loginDialog'],
      exit: ['clearQr'],
      on: {
        'login.received': {target: 'identifying', actions: [{type: 'storeToken', params: ({event}) => event}]},
        'login.redirect': {target: '#auth.redirecting', actions: [{type: 'storeReason', params: {reason: 'login'}}]},
        'qr.received': {actions: [{type: 'storeQr', params: ({event}) => event}]},
        'qr.close': {actions: ['clearQr']},
        'token.adopted': {
          guard: {type: 'isAdoptable', params: ({event}) => event},
          target: '#auth.identifying',
          actions: [{type: 'storeAdopted', params: ({event}) => event}],
        },
      },
    },
    identifying: {
      invoke: {
        id: 'fetchPopupUser',
        src: 'fetchUser',
        input: ({context: {token}}) => ({access: token?.access ?? ''}),
        onDone: {target: 'initializing', actions: [{type: 'storeUser', params: ({event}) => ({user: event.output})}]},
        onError: {
          target: 'open',
          actions: ['clearToken', {type: 'storeFailure', params: ({event}) => event}],
        },
      },
      after: {callDeadline: {target: 'open', actions: ['clearToken', {type: 'storeFailure', params: timeout}]}},
    },
    initializing: {
      invoke: {
        id: 'initializeSite',
        src: 'initializeSite',
        onDone: {target: 'reloading', actions: [{type: 'storeOrigin', params: ({event}) => event.output}]},
        onError: {target: 'reloading', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'reloading', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    reloading: {
      tags: ['leaving'],
      invoke: {
        id: 'reloadPage',
        src: 'reloadPage',
        input: ({context}) => ({toSite: !context.hasOrigin}),
        onDone: {},
        onError: {target: '#auth.signedIn', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {leaveDeadline: {target: '#auth.signedIn'}},
    },
  },
})

/**
 * Who is signed in (spec §4, §6; security R09–R17). Owned by the root; the one machine that holds the token.
 *
 * A code is spent once, and one that no transaction of this browser asked for never replaces a session. Tokens are
 * refreshed at 80 % of their life or on a 401, once for any number of 401s of the same token. Only an authenticated
 * 401 or a refused grant ends a session; an expired one keeps the person and what is cached, a logout clears all.
 * Leaving `signedIn` ends everything of the person (the root stops `session`).
 */
export const authMachine = authSetup.createMachine({
  id: 'auth',
  context: ({input: {restored, ...input}}) => ({
    ...input,
    ...restored,
    reason: 'login',
    attempts: 0,
    renewed: false,
    hasOrigin: true,
  }),
  initial: 'undecided',
  states: {
    undecided: {
      tags: ['undecided'],
      always: {guard: 'resumes', target: 'resuming'},
      on: {
        'code.received': [
          {
            guard: {type: 'mayExchange', params: ({event}) => event},
            target: 'exchanging',
            actions: [{type: 'storeCode', params: ({event}) => event}],
          },
          {target: 'resuming'},
        ],
        'session.resume': {target: 'resuming'},
      },
    },
    exchanging: {
      tags: ['undecided'],
      invoke: {
        id: 'exchangeCode',
        src: 'exchangeCode',
        input: ({context}) => context.code ?? {code: '', isOurs: false},
        onDone: {
          target: 'identifying',
          actions: ['clearSession', {type: 'storeToken', params: ({event}) => ({token: event.output})}],
        },
        onError: {target: 'resuming', actions: ['clearCode', {type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'resuming', actions: ['clearCode', {type: 'storeFailure', params: timeout}]}},
    },
    resuming: {always: [{guard: 'hasToken', target: 'identifying'}, {target: 'signedOut'}]},
    identifying: {
      tags: ['undecided'],
      invoke: {
        id: 'fetchUser',
        src: 'fetchUser',
        input: ({context: {token}}) => ({access: token?.access ?? ''}),
        onDone: {target: 'signedIn', actions: [{type: 'storeUser', params: ({event}) => ({user: event.output})}]},
        onError: [
          {guard: {type: 'mayRenew', params: ({event}) => event}, target: 'renewing', actions: ['markRenewed']},
          {
            guard: {type: 'endsSession', params: ({event}) => event},
            target: 'signedOut',
            // an old session is no failed sign-in: the person is simply asked to sign in
            actions: ['clearToken', 'clearFailure'],
          },
          {guard: 'hasUser', target: 'signedIn', actions: [{type: 'storeFailure', params: ({event}) => event}]},
          {target: 'unreachable', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      after: {
        callDeadline: [
          {guard: 'hasUser', target: 'signedIn', actions: [{type: 'storeFailure', params: timeout}]},
          {target: 'unreachable', actions: [{type: 'storeFailure', params: timeout}]},
        ],
      },
    },
    renewing: {
      tags: ['undecided'],
      invoke: {
        id: 'renewToken',
        src: 'refreshToken',
        input: ({context: {token}}) => ({token: token ?? {access: '', expiration: 0, receivedAt: 0, refreshAt: 0}}),
        onDone: {target: 'identifying', actions: [{type: 'storeToken', params: ({event}) => ({token: event.output})}]},
        onError: [
          {
            guard: {type: 'endsSession', params: ({event}) => event},
            target: 'signedOut',
            // an old session is no failed sign-in: the person is simply asked to sign in
            actions: ['clearToken', 'clearFailure'],
          },
          {guard: 'hasUser', target: 'signedIn', actions: [{type: 'storeFailure', params: ({event}) => event}]},
          {target: 'unreachable', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      after: {refreshDeadline: {target: 'unreachable', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    unreachable: {
      tags: ['undecided', 'unreachable'],
      description: 'There is a token but the person could not be read: the token is kept (security R17).',
      on: {
        'user.retry': {target: 'identifying'},
        'session.resume': {target: 'identifying'},
        'connection.restored': {target: 'identifying'},
        'logout.request': {target: 'signingOut'},
      },
    },
    signedOut: accepting,
    signedIn,
    expired: {
      description: 'The session ended by itself: the person is asked to sign in again, nothing cached is lost.',
      entry: ['clearToken', {type: 'storeReason', params: {reason: 'expired'}}],
      always: [{guard: 'isPopup', target: 'popup'}, {target: 'redirecting'}],
    },
    signingOut: {
      tags: ['leaving'],
      invoke: {
        id: 'endSession',
        src: 'endSession',
        input: ({context: {token}}) => ({token}),
        onDone: {
          target: 'redirecting',
          actions: ['clearSession', {type: 'storeEpoch', params: ({event}) => event.output}],
        },
        onError: {target: 'redirecting', actions: ['clearSession']},
      },
      after: {endDeadline: {target: 'redirecting', actions: ['clearSession']}},
      exit: [{type: 'storeReason', params: {reason: 'logout'}}],
    },
    redirecting,
    popup,
  },
})

export type AuthActor = ActorRefFrom<typeof authMachine>
export type AuthSnapshot = SnapshotFrom<typeof authMachine>
