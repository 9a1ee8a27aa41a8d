import {assertEvent, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {authSetup} from './auth.setup.ts'
import {
  accepting,
  fetchUser,
  popup,
  redirecting,
  signedIn,
  signOut,
  unanswered,
  withoutIdentity,
} from './auth.states.ts'

/**
 * The session of the user (spec §4, §6; security R09–R17). Owned by the root; the one machine that holds the token.
 *
 * A code is spent once, and one that no transaction of this browser asked for never replaces a session. Tokens are
 * refreshed at 80 % of their life or on a 401, once for any number of 401s of the same token. Only an authenticated
 * 401 or a refused grant ends a session; an expired one keeps the user and what is cached, a logout clears all.
 * Leaving `signedIn` ends everything of the user (the root stops `session`).
 */
export const authMachine = authSetup.createMachine({
  id: 'auth',
  context: ({input: {restored, ...input}}) => ({
    ...input,
    ...restored,
    reason: 'login',
    attempts: 0,
  }),
  invoke: environmentInvoke,
  initial: 'undecided',
  states: {
    undecided: {
      tags: ['undecided'],
      on: {
        'code.received': {target: 'claiming'},
        'session.resume': {target: 'resuming'},
      },
    },
    claiming: {
      tags: ['undecided'],
      invoke: {
        id: 'claimCode',
        src: 'claimCode',
        input: ({event}) => {
          assertEvent(event, 'code.received')
          return {code: event.code, state: event.state}
        },
        onDone: [
          {
            guard: {type: 'mayExchange', params: ({event}) => event},
            target: 'exchanging',
            actions: [{type: 'storeCode', params: ({event}) => event}],
          },
          {target: 'resuming'},
        ],
        onError: {target: 'resuming', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'resuming', actions: [{type: 'storeFailure', params: timeout}]}},
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
    resuming: {
      always: [
        {guard: 'hasToken', target: 'identifying'},
        {
          target: 'signedOut',
          actions: [
            {type: 'forgetAccess', params: ({context}) => context},
            {type: 'storeReason', params: {reason: 'absent'}},
          ],
        },
      ],
    },
    identifying: {
      tags: ['undecided'],
      invoke: {
        ...fetchUser,
        onError: [{guard: {type: 'mayRenew', params: ({event}) => event}, target: 'renewing'}, ...withoutIdentity],
      },
      after: {callDeadline: unanswered},
    },
    renewing: {
      tags: ['undecided'],
      // the token was refused: a new one is fetched, once
      invoke: {
        id: 'renewToken',
        src: 'refreshToken',
        input: ({context: {token}}) => ({token: token ?? {access: '', expiration: 0, receivedAt: 0, refreshAt: 0}}),
        onDone: {
          target: 'confirming',
          actions: [{type: 'storeToken', params: ({event}) => ({token: event.output})}, 'forgetOther'],
        },
        onError: withoutIdentity,
      },
      after: {refreshDeadline: {target: 'unreachable', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    confirming: {
      tags: ['undecided'],
      // the user is read with the renewed token
      invoke: {...fetchUser, onError: withoutIdentity},
      after: {callDeadline: unanswered},
    },
    unreachable: {
      tags: ['undecided', 'unreachable'],
      // security R17
      on: {
        'session.resume': {target: 'identifying'},
        'connection.restored': {target: 'identifying'},
        'logout.request': signOut,
      },
    },
    signedOut: accepting,
    signedIn,
    expired: {
      // nothing cached is lost
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
        onError: {
          target: 'redirecting',
          actions: ['clearSession', {type: 'logSignOutFailure', params: ({event}) => event}],
        },
      },
      after: {
        endDeadline: {
          target: 'redirecting',
          actions: ['clearSession', {type: 'logSignOutFailure', params: timeout}],
        },
      },
    },
    redirecting,
    popup,
  },
})

export type AuthActor = ActorRefFrom<typeof authMachine>
export type AuthSnapshot = SnapshotFrom<typeof authMachine>
