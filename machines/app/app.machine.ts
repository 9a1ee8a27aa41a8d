import {assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {User} from '#contract/management.ts'
import {authMachine, type AuthActor, type AuthSnapshot} from '#machines/auth/auth.machine.ts'
import {environmentMachine} from '#machines/environment/environment.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {unfilledAction} from '#machines/lib/ports.ts'
import {countCrash, forgive, isBeyondRepair, restartDelay, supervised, supervision} from '#machines/lib/supervision.ts'
import {noticesMachine, type NoticesActor} from '#machines/notices/notices.machine.ts'
import {preferencesMachine} from '#machines/preferences/preferences.machine.ts'
import {sessionMachine, type SessionActor} from '#machines/session/session.machine.ts'
import {siteMachine} from '#machines/site/site.machine.ts'
import {startupMachine, type StartupActor} from '#machines/startup/startup.machine.ts'
import type {AppChild, AppContext, AppEvent, AppInput} from './app.types.ts'

type SessionOpened = Extract<AppEvent, {type: 'session.opened'}>

const appSetup = setup({
  types: {input: {} as AppInput, context: {} as AppContext, events: {} as AppEvent, tags: {} as 'down'},
  actors: {
    environment: environmentMachine,
    startup: startupMachine,
    auth: authMachine,
    site: siteMachine,
    preferences: preferencesMachine,
    notices: noticesMachine,
    session: sessionMachine,
  },
  delays: {calm: supervision.calm, restartDelay: ({context}) => restartDelay(context.crashes)},
  guards: {
    isBroken: ({context}, {child}: {child: AppChild}) => isBeyondRepair(context.crashes, child),
    isFor: (_, {child, asked}: {child: AppChild; asked: AppChild}) => child === asked,
    isOtherUser: ({context}, {user, epoch}: {user: User; epoch: number}) =>
      context.session?.user.id !== user.id || context.session.epoch !== epoch,
  },
  actions: {
    countCrash: assign(({context}, {child, error}: {child: AppChild; error: unknown}) => ({
      crashes: countCrash(context.crashes, child, error),
    })),
    forgive: assign(({context}, {child}: {child: AppChild}) => ({crashes: forgive(context.crashes, child)})),
    storeSession: assign((_, {user, epoch}: {user: User; epoch: number}) => ({session: {user, epoch}})),
    clearSession: assign({session: undefined}),
    countEnd: assign(({context: {session, endedSessions}}) => ({
      endedSessions: session === undefined ? endedSessions : endedSessions + 1,
    })),
    /** A restarted `auth` begins with the last token and user, never with those of the first paint. */
    keepAuth: assign(({context}, {token, user, epoch}: AuthSnapshot['context']) => ({
      auth: {...context.auth, epoch, restored: {token, user}},
    })),
    tellStartup: enqueueActions(({enqueue, system}) => {
      const startup = findActor<StartupActor>(system, 'startup')
      if (startup !== undefined) enqueue.sendTo(startup, {type: 'session.opened'})
    }),
    tellSession: enqueueActions(({enqueue, system}) => {
      const session = findActor<SessionActor>(system, 'session')
      if (session !== undefined) enqueue.sendTo(session, {type: 'token.renewed'})
    }),
    clearNotices: enqueueActions(({enqueue, system}) => {
      const notices = findActor<NoticesActor>(system, 'notices')
      if (notices !== undefined) enqueue.sendTo(notices, {type: 'notices.clear'})
    }),
    /** Start-up runs once: a restarted `auth` resumes the session at once. */
    resumeAuth: enqueueActions(({enqueue, system}) => {
      const auth = findActor<AuthActor>(system, 'auth')
      if (auth !== undefined) enqueue.sendTo(auth, {type: 'session.resume'})
    }),
    /** Port: a part broke. Written to the log, never swallowed. */
    logCrash: (_, _params: {child: AppChild | 'environment'; error: unknown}) => unfilledAction('logCrash'),
  },
})

const {broken, down, onError, afterCalm} = supervised<AppChild>()

/** Another user, or the same one after a sign-out, gets a session of their own. */
const sessionOpened = {
  guard: {type: 'isOtherUser', params: ({event}: {event: SessionOpened}) => event},
  target: 'running',
  reenter: true,
  actions: [
    'countEnd',
    {type: 'storeSession', params: ({event}: {event: SessionOpened}) => event},
    {type: 'forgive', params: {child: 'session'}},
    'tellStartup',
  ],
} as const

/**
 * The root (docs/architecture.md §2): started before React renders, it never ends.
 *
 * Each part runs in a region of its own; one that breaks leaves its siblings alone, is started again after a backoff,
 * at most three times without a calm minute between, and then waits for the user (security R59). `session` exists
 * only between `session.opened` and `session.closed` of `auth`, so nothing of a user outlives the sign-in.
 */
export const appMachine = appSetup.createMachine({
  id: 'app',
  context: ({input, spawn}) => ({
    ...input,
    environment: spawn('environment', {id: 'environment', systemId: 'environment', input: input.environment}),
    endedSessions: 0,
    crashes: {},
  }),
  type: 'parallel',
  on: {
    'token.renewed': {actions: ['tellSession']},
    'xstate.error.actor.environment': {
      actions: [{type: 'logCrash', params: ({event: {error}}) => ({child: 'environment', error})}],
    },
  },
  states: {
    preferences: {
      initial: 'running',
      states: {
        running: {
          invoke: {
            id: 'preferences',
            systemId: 'preferences',
            src: 'preferences',
            input: ({context}) => context.preferences,
            onError: onError('preferences'),
          },
          after: afterCalm('preferences'),
        },
        broken: broken('preferences'),
        down: down('preferences'),
      },
    },
    notices: {
      initial: 'running',
      states: {
        running: {
          invoke: {id: 'notices', systemId: 'notices', src: 'notices', onError: onError('notices')},
          after: afterCalm('notices'),
        },
        broken: broken('notices'),
        down: down('notices'),
      },
    },
    auth: {
      initial: 'running',
      states: {
        running: {
          invoke: {
            id: 'auth',
            systemId: 'auth',
            src: 'auth',
            input: ({context: {auth, environment}, self}) => ({...auth, environment, parentRef: self}),
            onSnapshot: {actions: [{type: 'keepAuth', params: ({event}) => event.snapshot.context}]},
            onError: onError('auth'),
          },
          after: afterCalm('auth'),
          initial: 'first',
          states: {first: {}, again: {entry: ['resumeAuth']}},
        },
        broken: broken('auth', 'running.again'),
        down: down('auth', 'running.again'),
      },
    },
    site: {
      initial: 'running',
      states: {
        running: {
          invoke: {
            id: 'site',
            systemId: 'site',
            src: 'site',
            input: ({context}) => context.site,
            onError: onError('site'),
          },
          after: afterCalm('site'),
        },
        broken: broken('site'),
        down: down('site'),
      },
    },
    startup: {
      initial: 'running',
      states: {
        running: {
          invoke: {
            id: 'startup',
            systemId: 'startup',
            src: 'startup',
            input: ({context}) => ({flow: context.auth.flow}),
            onError: onError('startup'),
          },
          after: afterCalm('startup'),
        },
        broken: broken('startup'),
        down: down('startup'),
      },
    },
    session: {
      initial: 'absent',
      on: {
        'session.closed': {
          target: '.absent',
          actions: ['countEnd', 'clearSession', 'clearNotices', {type: 'forgive', params: {child: 'session'}}],
        },
      },
      // `session.opened` stands on the leaves: with `reenter` on the region it would restart every other region too
      states: {
        absent: {on: {'session.opened': sessionOpened}},
        running: {
          on: {'session.opened': sessionOpened},
          invoke: {
            id: 'session',
            systemId: 'session',
            src: 'session',
            input: ({context: {session, host, environment}}) => ({
              user: session?.user ?? {id: ''},
              epoch: session?.epoch ?? 0,
              host,
              environment,
            }),
            onError: onError('session'),
          },
          after: afterCalm('session'),
        },
        broken: {...broken('session'), on: {'session.opened': sessionOpened}},
        down: {...down('session'), on: {...down('session').on, 'session.opened': sessionOpened}},
      },
    },
  },
})

export type AppActor = ActorRefFrom<typeof appMachine>
export type AppSnapshot = SnapshotFrom<typeof appMachine>
