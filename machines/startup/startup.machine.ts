import {assign, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import type {LoginCode} from '#machines/auth/auth.types.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {
  PreparedPage,
  SessionDecision,
  StartupContext,
  StartupEvent,
  StartupInput,
  StartupStep,
  StartupTag,
} from './startup.types.ts'

/**
 * One run of the start sequence (spec §4 with the decisions of security.md).
 *
 * Cookies and the code come first and need no network. Then the site is read while the code is spent (or the stored
 * session taken up) and the browser's id is found: none waits for another. A site without an origin is initialized
 * once somebody is signed in. Without a token or a user it logs out and in as one navigation, of which `auth` knows the
 * address (a token that was refused only needs the login); in the popup flow the page is ready and the dialog stands on it. No step waits without a deadline. Owned by the root.
 */
export const startupMachine = setup({
  types: {
    input: {} as StartupInput,
    context: {} as StartupContext,
    events: {} as StartupEvent,
    tags: {} as StartupTag,
  },
  actors: {
    /** Inviter, theme and locale into cookies; the code out of the address. */
    preparePage: promisePort<PreparedPage>('preparePage'),
    leavePage: promisePort<void, {url: string}>('leavePage'),
    loadSite: promisePort<{hasOrigin: boolean}>('loadSite'),
    decideSession: promisePort<SessionDecision, {code?: LoginCode}>('decideSession'),
    findFingerprint: promisePort<void>('findFingerprint'),
    initializeSite: promisePort<void>('initializeSite'),
    requestLogin: promisePort<void>('requestLogin'),
  },
  delays: {pageDeadline: 5_000, siteDeadline: 8_000, sessionDeadline: 60_000, leaveDeadline: 20_000},
  guards: {
    mustLeave: (_, {output}: {output: PreparedPage}) => output.redirectTo !== undefined,
    isUnreachable: ({context}) => context.session?.isUnreachable === true,
    hasFailedLogin: ({context}) => context.session?.authenticated === false && context.session.failure !== undefined,
    isSignedIn: ({context}) => context.session?.authenticated === true,
    lacksOrigin: ({context}) => context.session?.authenticated === true && !context.hasOrigin,
    isPopup: ({context}) => context.flow === 'popup',
    isStep: ({context}, {step}: {step: StartupStep}) => context.step === step,
  },
  actions: {
    storePage: assign((_, {output}: {output: PreparedPage}) => ({page: output})),
    storeOrigin: assign((_, {hasOrigin}: {hasOrigin: boolean}) => ({hasOrigin})),
    // the code is spent: a retry must not spend it again
    storeSession: assign((_, {output}: {output: SessionDecision}) => ({session: output, page: {}})),
    storeFailure: assign((_, {step, error}: {step: StartupStep; error: unknown}) => ({
      step,
      failure: toFailure(error),
    })),
    forgetCode: assign({page: {}}),
    clearFailure: assign({failure: undefined}),
    /** Port: failures that stop nothing are only logged (spec §8). */
    logFailure: (_, _failed: {error: unknown}) => {},
    /** Port: asks for the exchange rate; nothing waits for it. */
    requestRate: () => {},
  },
}).createMachine({
  id: 'startup',
  context: ({input}) => ({...input, page: {}, hasOrigin: true, step: 'page'}),
  initial: 'preparing',
  on: {'session.opened': {target: '.ready'}},
  states: {
    preparing: {
      tags: ['busy'],
      invoke: {
        id: 'preparePage',
        src: 'preparePage',
        onDone: [
          {
            guard: {type: 'mustLeave', params: ({event}) => event},
            target: 'leaving',
            actions: [{type: 'storePage', params: ({event}) => event}],
          },
          {target: 'opening', actions: [{type: 'storePage', params: ({event}) => event}]},
        ],
        onError: {
          target: 'failed',
          actions: [{type: 'storeFailure', params: ({event}) => ({step: 'page', error: event.error})}],
        },
      },
      after: {
        pageDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: {step: 'page', ...timeout}}]},
      },
    },
    leaving: {
      tags: ['redirecting'],
      invoke: {
        id: 'leavePage',
        src: 'leavePage',
        input: ({context}) => ({url: context.page.redirectTo ?? ''}),
        onDone: {},
        onError: {
          target: 'opening',
          actions: [{type: 'logFailure', params: ({event}) => event}],
        },
      },
      after: {
        leaveDeadline: {
          target: 'failed',
          actions: [{type: 'storeFailure', params: {step: 'redirect', ...timeout}}],
        },
      },
    },
    opening: {
      tags: ['busy'],
      type: 'parallel',
      entry: ['requestRate'],
      states: {
        site: {
          initial: 'loading',
          states: {
            loading: {
              invoke: {
                id: 'loadSite',
                src: 'loadSite',
                onDone: {target: 'done', actions: [{type: 'storeOrigin', params: ({event}) => event.output}]},
                onError: {target: 'done', actions: [{type: 'logFailure', params: ({event}) => event}]},
              },
              after: {siteDeadline: {target: 'done', actions: [{type: 'logFailure', params: timeout}]}},
            },
            done: {type: 'final'},
          },
        },
        session: {
          initial: 'deciding',
          states: {
            deciding: {
              invoke: {
                id: 'decideSession',
                src: 'decideSession',
                input: ({context}) => ({code: context.page.code}),
                onDone: {target: 'done', actions: [{type: 'storeSession', params: ({event}) => event}]},
                onError: {
                  target: '#startup.failed',
                  actions: [
                    {type: 'storeFailure', params: ({event}) => ({step: 'session', error: event.error})},
                    'forgetCode',
                  ],
                },
              },
              after: {
                sessionDeadline: {
                  target: '#startup.failed',
                  actions: [{type: 'storeFailure', params: {step: 'session', ...timeout}}, 'forgetCode'],
                },
              },
            },
            done: {type: 'final'},
          },
        },
        fingerprint: {
          initial: 'finding',
          states: {
            finding: {
              invoke: {
                id: 'findFingerprint',
                src: 'findFingerprint',
                onDone: {target: 'done'},
                onError: {target: 'done', actions: [{type: 'logFailure', params: ({event}) => event}]},
              },
              after: {pageDeadline: {target: 'done', actions: [{type: 'logFailure', params: timeout}]}},
            },
            done: {type: 'final'},
          },
        },
      },
      onDone: {target: 'judging'},
      // the root reports a session while it is being decided; the sequence goes on to the site's origin
      on: {'session.opened': {}},
    },
    judging: {
      always: [
        {
          guard: 'isUnreachable',
          target: 'failed',
          actions: [
            {
              type: 'storeFailure',
              params: ({context}) => ({step: 'session', error: context.session?.failure}),
            },
          ],
        },
        {
          guard: 'hasFailedLogin',
          target: 'failed',
          actions: [{type: 'storeFailure', params: ({context}) => ({step: 'login', error: context.session?.failure})}],
        },
        {guard: 'lacksOrigin', target: 'initializing'},
        {guard: 'isSignedIn', target: 'ready'},
        {target: 'requesting'},
      ],
    },
    initializing: {
      tags: ['busy'],
      invoke: {
        id: 'initializeSite',
        src: 'initializeSite',
        onDone: {target: 'ready'},
        // the site actor asks for the login (spec §7); a dialog stands on the page
        onError: [
          {guard: 'isPopup', target: 'ready', actions: [{type: 'logFailure', params: ({event}) => event}]},
          {target: 'redirecting', actions: [{type: 'logFailure', params: ({event}) => event}]},
        ],
      },
      after: {siteDeadline: {target: 'ready', actions: [{type: 'logFailure', params: timeout}]}},
      on: {'session.opened': {}},
    },
    requesting: {
      tags: ['redirecting'],
      description:
        'No access token or no user: log out and in as one navigation (spec §4); after a 401 the login alone.',
      invoke: {
        id: 'requestLogin',
        src: 'requestLogin',
        onDone: [{guard: 'isPopup', target: 'ready'}, {target: 'redirecting'}],
        onError: {
          target: 'failed',
          actions: [{type: 'storeFailure', params: ({event}) => ({step: 'login', error: event.error})}],
        },
      },
      after: {
        pageDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: {step: 'login', ...timeout}}]},
      },
    },
    redirecting: {
      tags: ['redirecting'],
      after: {
        leaveDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: {step: 'login', ...timeout}}]},
      },
    },
    ready: {
      tags: ['ready'],
      on: {'startup.retry': {target: 'preparing'}},
    },
    failed: {
      tags: ['failed'],
      on: {
        'startup.retry': [
          {guard: {type: 'isStep', params: {step: 'login'}}, target: 'requesting', actions: ['clearFailure']},
          {guard: {type: 'isStep', params: {step: 'session'}}, target: 'opening', actions: ['clearFailure']},
          {target: 'preparing', actions: ['clearFailure']},
        ],
      },
    },
  },
})

export type StartupActor = ActorRefFrom<typeof startupMachine>
export type StartupSnapshot = SnapshotFrom<typeof startupMachine>
