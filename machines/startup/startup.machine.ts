import {assign, enqueueActions, setup, stateIn, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {isRefusal, toFailure, type Failure} from '#domain/failure.ts'
import {watchAuth} from '#machines/auth/auth-decision.ts'
import type {AuthActor} from '#machines/auth/auth.machine.ts'
import type {SessionDecision} from '#machines/auth/auth.types.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {PreferencesActor} from '#machines/preferences/preferences.machine.ts'
import {watchSite} from '#machines/site/site-decision.ts'
import {siteOriginMachine, type SiteOriginOutput} from '#machines/site/site-origin.machine.ts'
import type {PreparedPage, StartupContext, StartupEvent, StartupInput, StartupTag} from './startup.types.ts'

/** In the popup flow a dialog is shown on the page; otherwise the page leaves for the login. */
const popupOrRedirect = [{guard: 'isPopup', target: 'ready'}, {target: 'redirecting'}] as const

/** Why the session could not be decided. */
const sessionFailure = {
  type: 'storeFailure',
  params: ({context}: {context: StartupContext}) => ({error: context.session?.failure}),
} as const

/** A session opened after all while the page waits to leave, or failed to. */
const sessionOpened = {'session.opened': {target: 'ready'}} as const

/**
 * One run of the start sequence (spec §4 with the decisions of security.md).
 *
 * Cookies and the code come first and need no network. Then `site` reads the site while `auth` spends the code (or
 * takes the stored session up) and the browser's id is found: they run side by side. A site without an origin is
 * initialized once a user is signed in. Without a token or a user it logs out and in as one navigation, whose address
 * `auth` has (a refused token only needs the login); in the popup flow the page is ready and the dialog lies over it.
 * Each step has a deadline. Owned by the root.
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
    findFingerprint: promisePort<void>('findFingerprint'),
    watchSite,
    watchAuth,
    siteOrigin: siteOriginMachine,
  },
  delays: {pageDeadline: 5_000, siteDeadline: 8_000, sessionDeadline: 60_000, leaveDeadline: 20_000},
  guards: {
    mustLeave: (_, {output}: {output: PreparedPage}) => output.redirectTo !== undefined,
    hasOrigin: (_, {hasOrigin}: {hasOrigin: boolean}) => hasOrigin,
    hasFailed: (_, {failure}: {failure?: Failure | undefined}) => failure !== undefined,
    /** Only a refusal leads to the login (spec §7); a server out of reach ends no session (security R17). */
    wasRefused: (_, {output: {failure}}: {output: SiteOriginOutput}) => failure !== undefined && isRefusal(failure),
    isUnreachable: ({context}) => context.session?.isUnreachable === true,
    hasFailedLogin: ({context}) => context.session?.authenticated === false && context.session.failure !== undefined,
    isSignedOut: ({context}) => context.session?.authenticated === false,
    isPopup: ({context}) => context.flow === 'popup',
  },
  actions: {
    storePage: assign((_, {output}: {output: PreparedPage}) => ({page: output})),
    // the code is spent: a retry must not spend it again
    storeSession: assign((_, {authenticated, isUnreachable, failure}: SessionDecision) => ({
      session: {authenticated, isUnreachable, failure},
      page: {},
    })),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    forgetCode: assign({page: {}}),
    clearFailure: assign({failure: undefined}),
    openSession: enqueueActions(({enqueue, context: {page}, system}) => {
      const auth = findActor<AuthActor>(system, 'auth')
      if (auth === undefined) return
      enqueue.sendTo(auth, page.code === undefined ? {type: 'session.resume'} : {type: 'code.received', ...page.code})
    }),
    requestLogin: enqueueActions(({enqueue, system}) => {
      const auth = findActor<AuthActor>(system, 'auth')
      if (auth !== undefined) enqueue.sendTo(auth, {type: 'login.request'})
    }),
    /** Nothing waits for the exchange rate. */
    requestRate: enqueueActions(({enqueue, system}) => {
      const preferences = findActor<PreferencesActor>(system, 'preferences')
      if (preferences !== undefined) enqueue.sendTo(preferences, {type: 'rate.request'})
    }),
    /** Port: failures that stop nothing are only logged (spec §8). */
    logFailure: (_, _failed: {error: unknown}) => unfilledAction('logFailure'),
  },
}).createMachine({
  id: 'startup',
  context: ({input}) => ({...input, page: {}}),
  initial: 'preparing',
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
          target: 'failed.page',
          actions: [{type: 'storeFailure', params: ({event}) => event}],
        },
      },
      after: {
        pageDeadline: {target: 'failed.page', actions: [{type: 'storeFailure', params: timeout}]},
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
          target: 'failed.redirect',
          actions: [{type: 'storeFailure', params: timeout}],
        },
      },
      on: sessionOpened,
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
                id: 'watchSite',
                src: 'watchSite',
                onError: {target: 'done', actions: [{type: 'logFailure', params: ({event}) => event}]},
              },
              after: {siteDeadline: {target: 'done', actions: [{type: 'logFailure', params: timeout}]}},
              on: {
                'site.decided': [
                  {
                    // a site that could not be read may exist: none is created
                    guard: {type: 'hasFailed', params: ({event}) => event},
                    target: 'done',
                    actions: [{type: 'logFailure', params: ({event}) => ({error: event.failure})}],
                  },
                  {guard: {type: 'hasOrigin', params: ({event}) => event}, target: 'done'},
                  {target: 'withoutOrigin'},
                ],
              },
            },
            done: {type: 'final'},
            withoutOrigin: {type: 'final'},
          },
        },
        session: {
          initial: 'deciding',
          states: {
            deciding: {
              entry: ['openSession'],
              invoke: {
                id: 'watchAuth',
                src: 'watchAuth',
                onError: {
                  target: '#startup.failed.session',
                  actions: [{type: 'storeFailure', params: ({event}) => event}, 'forgetCode'],
                },
              },
              after: {
                sessionDeadline: {
                  target: '#startup.failed.session',
                  actions: [{type: 'storeFailure', params: timeout}, 'forgetCode'],
                },
              },
              on: {
                'session.decided': {target: 'done', actions: [{type: 'storeSession', params: ({event}) => event}]},
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
      onDone: [
        {guard: 'isUnreachable', target: 'failed.session', actions: [sessionFailure]},
        {guard: 'hasFailedLogin', target: 'failed.login', actions: [sessionFailure]},
        {guard: 'isSignedOut', target: 'requesting'},
        {guard: stateIn({opening: {site: 'withoutOrigin'}}), target: 'initializing'},
        {target: 'ready'},
      ],
    },
    requesting: {
      // no access token or no user: log out and in as one navigation (spec §4); after a 401 the login alone
      entry: ['requestLogin'],
      always: popupOrRedirect,
    },
    initializing: {
      tags: ['busy'],
      invoke: {
        id: 'siteOrigin',
        src: 'siteOrigin',
        onDone: [
          {
            // `site` asks for the login (spec §7); without a dialog the page leaves for it
            guard: {type: 'wasRefused', params: ({event}) => event},
            target: 'refused',
            actions: [{type: 'logFailure', params: ({event}) => ({error: event.output.failure})}],
          },
          {
            guard: {type: 'hasFailed', params: ({event}) => event.output},
            target: 'ready',
            actions: [{type: 'logFailure', params: ({event}) => ({error: event.output.failure})}],
          },
          {target: 'ready'},
        ],
        onError: {target: 'ready', actions: [{type: 'logFailure', params: ({event}) => event}]},
      },
      after: {siteDeadline: {target: 'ready', actions: [{type: 'logFailure', params: timeout}]}},
    },
    refused: {always: popupOrRedirect},
    redirecting: {
      tags: ['redirecting'],
      after: {
        leaveDeadline: {target: 'failed.login', actions: [{type: 'storeFailure', params: timeout}]},
      },
      on: sessionOpened,
    },
    ready: {
      tags: ['ready'],
      on: {'startup.retry': {target: 'preparing'}},
    },
    failed: {
      tags: ['failed'],
      on: sessionOpened,
      // by the step that failed, which a retry repeats
      initial: 'page',
      states: {
        page: {on: {'startup.retry': {target: '#startup.preparing', actions: ['clearFailure']}}},
        session: {on: {'startup.retry': {target: '#startup.opening', actions: ['clearFailure']}}},
        login: {
          tags: ['loginFailed'],
          on: {'startup.retry': {target: '#startup.requesting', actions: ['clearFailure']}},
        },
        redirect: {on: {'startup.retry': {target: '#startup.preparing', actions: ['clearFailure']}}},
      },
    },
  },
})

export type StartupActor = ActorRefFrom<typeof startupMachine>
export type StartupSnapshot = SnapshotFrom<typeof startupMachine>
