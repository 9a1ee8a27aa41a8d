import type {User} from '#contract/management.ts'
import {refreshAfter} from '#domain/session-token.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {authSetup} from './auth.setup.ts'
import type {AuthContext} from './auth.types.ts'

/** Nobody is signed in: a login may start, or another tab brings a token. */
export const accepting = authSetup.createStateConfig({
  on: {
    'login.request': [
      {
        guard: 'isPopup',
        target: '#auth.popup',
        actions: [{type: 'storeReturn', params: ({event}) => event}],
      },
      {target: '#auth.redirecting', actions: [{type: 'storeReturn', params: ({event}) => event}]},
    ],
    'token.adopted': {
      guard: {type: 'isAdoptable', params: ({event}) => event},
      target: '#auth.identifying',
      actions: [{type: 'storeAdopted', params: ({event}) => event}, 'forgetOther', 'clearFailure'],
    },
  },
})

/** The user's own wish to sign out. */
export const signOut = {
  target: 'signingOut',
  actions: [{type: 'storeReason', params: {reason: 'logout'}}],
} as const

/** A user with a token that is kept fresh. */
export const signedIn = authSetup.createStateConfig({
  tags: ['authenticated'],
  entry: ['tellOpened'],
  exit: ['tellClosed'],
  on: {
    'logout.request': signOut,
    'account.deleted': {
      target: 'signingOut',
      actions: [{type: 'storeReason', params: {reason: 'deleted'}}],
    },
    'user.changed': {
      guard: {type: 'isOwnUser', params: ({event}) => event},
      actions: [{type: 'changeUser', params: ({event}) => event}],
    },
    'login.request': {
      target: 'expired',
      actions: [{type: 'storeReturn', params: ({event}) => event}],
    },
    'session.ended': {
      guard: {type: 'isNewerEpoch', params: ({event}) => event},
      target: 'signedOut',
      actions: [
        'clearSession',
        {type: 'storeEpoch', params: ({event}) => event},
        {type: 'storeReason', params: {reason: 'login'}},
      ],
    },
    'token.adopted': [
      {
        guard: {type: 'isAdoptableOwn', params: ({event}) => event},
        target: '.deciding',
        actions: [{type: 'storeAdopted', params: ({event}) => event}, 'tellRenewed'],
      },
      {
        // a user signed in in another tab: this session ends until that user is known
        guard: {type: 'isAdoptable', params: ({event}) => event},
        target: 'identifying',
        actions: [{type: 'storeAdopted', params: ({event}) => event}, 'forgetOther'],
      },
    ],
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
      // no refresh: the token lasts until a 401
      on: {
        'token.rejected': {guard: {type: 'isCurrentAccess', params: ({event}) => event}, target: '#auth.expired'},
      },
    },
    refreshing: {
      invoke: {
        id: 'refreshToken',
        src: 'refreshToken',
        input: ({context: {token}}) => ({token: token ?? {access: '', expiration: 0, receivedAt: 0, refreshAt: 0}}),
        onDone: [
          {
            guard: {type: 'isOwnToken', params: ({event}) => ({token: event.output})},
            target: 'deciding',
            actions: [{type: 'storeToken', params: ({event}) => ({token: event.output})}, 'tellRenewed'],
          },
          {
            // another tab has stored it since, for the user of that tab
            target: '#auth.identifying',
            actions: [{type: 'storeToken', params: ({event}) => ({token: event.output})}, 'forgetOther'],
          },
        ],
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

type ErrorParameters = {event: {error: unknown}}
const storeFailure = {type: 'storeFailure', params: ({event}: ErrorParameters) => event} as const

/** The user of the token could not be read: the session ends, or the previous one continues. */
export const withoutIdentity = [
  {
    guard: {type: 'endsSession', params: ({event}: ErrorParameters) => event},
    target: 'signedOut',
    // an expired session is not a failed sign-in: the user only has to sign in again
    actions: ['clearToken', 'clearFailure', {type: 'storeReason', params: {reason: 'expired'}}],
  },
  {guard: 'hasUser', target: 'signedIn', actions: [storeFailure]},
  {target: 'unreachable', actions: [storeFailure]},
] as const

/** The same, without an answer in time. */
export const unanswered = [
  {guard: 'hasUser', target: 'signedIn', actions: [{type: 'storeFailure', params: timeout}]},
  {target: 'unreachable', actions: [{type: 'storeFailure', params: timeout}]},
] as const

/** Reads the user of the token. */
export const fetchUser = {
  id: 'fetchUser',
  src: 'fetchUser',
  input: ({context: {token}}: {context: AuthContext}) => ({access: token?.access ?? ''}),
  onDone: {
    target: 'signedIn',
    actions: [{type: 'storeUser', params: ({event}: {event: {output: User}}) => ({user: event.output})}],
  },
} as const

/** On the way to the login page, unless the loop breaker holds it. */
export const redirecting = authSetup.createStateConfig({
  on: {
    'token.adopted': {
      guard: {type: 'isAdoptable', params: ({event}) => event},
      target: 'identifying',
      actions: [{type: 'storeAdopted', params: ({event}) => event}, 'forgetOther'],
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
      // the user asked again after the loop breaker or a failure
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
      on: {
        'page.restored': {
          target: '#auth.signedOut',
          actions: [{type: 'storeReason', params: {reason: 'login'}}],
        },
      },
    },
    looping: {
      tags: ['loop'],
      // more than three within a minute (security R11)
      on: {'login.request': {target: 'forcing'}},
    },
    failed: {on: {'login.request': {target: 'forcing', actions: ['clearFailure']}}},
  },
})

/** Leaves the page for a new one, signed in; where nothing is kept over that, the page stays. */
const reloading = (input: {toSite: boolean}) =>
  authSetup.createStateConfig({
    tags: ['leaving'],
    invoke: {
      id: 'reloadPage',
      src: 'reloadPage',
      input,
      onDone: [{guard: {type: 'isLeaving', params: ({event}) => event}}, {target: '#auth.signedIn'}],
      onError: {target: '#auth.signedIn', actions: [{type: 'storeFailure', params: ({event}) => event}]},
    },
    after: {leaveDeadline: {target: '#auth.signedIn'}},
  })

/** The embedded login page stands on the page (spec §2, §4). */
export const popup = authSetup.createStateConfig({
  initial: 'open',
  states: {
    open: {
      tags: ['loginDialog'],
      exit: ['clearQr'],
      // a frame that is not heard can still be left for the page of the login
      invoke: {id: 'loginMessages', src: 'loginMessages', onError: {}},
      on: {
        'login.received': {target: 'identifying', actions: [{type: 'storeToken', params: ({event}) => event}]},
        'login.redirect': {target: '#auth.redirecting', actions: [{type: 'storeReason', params: {reason: 'login'}}]},
        'qr.received': {actions: [{type: 'storeQr', params: ({event}) => event}]},
        'qr.close': {actions: ['clearQr']},
        'token.adopted': {
          guard: {type: 'isAdoptable', params: ({event}) => event},
          target: '#auth.identifying',
          actions: [{type: 'storeAdopted', params: ({event}) => event}, 'forgetOther'],
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
      // and is taken to its page (spec §4)
      invoke: {
        id: 'siteOrigin',
        src: 'siteOrigin',
        onDone: [
          {
            guard: {type: 'hasFailed', params: ({event}) => event},
            target: 'reloading',
            actions: [{type: 'storeFailure', params: ({event}) => ({error: event.output.failure})}],
          },
          {guard: {type: 'hadOrigin', params: ({event}) => event}, target: 'reloading'},
          {target: 'openingSite'},
        ],
        onError: {target: 'reloading', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'reloading', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    reloading: reloading({toSite: false}),
    openingSite: reloading({toSite: true}),
  },
})
