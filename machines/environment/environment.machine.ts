import {emit, fromCallback, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {unfilledAction, streamPort} from '#machines/lib/ports.ts'
import type {EnvironmentEvent, EnvironmentInput} from './environment.types.ts'

/**
 * Network and visibility of this page: the one owner of both. Other machines get its ref by `input`, read what holds
 * now from its snapshot (`selectIsOnline`, `selectIsVisible`) and invoke `environmentChanges` to hear of changes.
 *
 * Starts with what the browser says, spawned by `app` with the page; never ends. If the browser's events fail to
 * arrive, the last known values hold.
 */
export const environmentMachine = setup({
  types: {
    input: {} as EnvironmentInput,
    context: {} as EnvironmentInput,
    events: {} as EnvironmentEvent,
    emitted: {} as EnvironmentEvent,
  },
  actors: {
    /** First the present values, then each change. */
    pageEvents: streamPort<EnvironmentEvent>('pageEvents'),
  },
  guards: {
    startsOnline: ({context}) => context.isOnline,
    startsVisible: ({context}) => context.isVisible,
  },
  actions: {
    emitChange: emit((_, change: EnvironmentEvent) => change),
    /** Port: the browser's events cannot be listened to. */
    logDeafness: (_, _params: {error: unknown}) => unfilledAction('logDeafness'),
  },
}).createMachine({
  id: 'environment',
  context: ({input}) => input,
  type: 'parallel',
  invoke: {
    id: 'pageEvents',
    src: 'pageEvents',
    onError: {actions: [{type: 'logDeafness', params: ({event}) => event}]},
  },
  on: {'page.leaving': {actions: [{type: 'emitChange', params: ({event}) => event}]}},
  states: {
    network: {
      initial: 'starting',
      states: {
        starting: {always: [{guard: 'startsOnline', target: 'online'}, {target: 'offline'}]},
        online: {
          on: {'connection.lost': {target: 'offline', actions: [{type: 'emitChange', params: ({event}) => event}]}},
        },
        offline: {
          on: {'connection.restored': {target: 'online', actions: [{type: 'emitChange', params: ({event}) => event}]}},
        },
      },
    },
    page: {
      initial: 'starting',
      states: {
        starting: {always: [{guard: 'startsVisible', target: 'visible'}, {target: 'hidden'}]},
        visible: {
          on: {'page.hidden': {target: 'hidden', actions: [{type: 'emitChange', params: ({event}) => event}]}},
        },
        hidden: {
          on: {'page.shown': {target: 'visible', actions: [{type: 'emitChange', params: ({event}) => event}]}},
        },
      },
    },
  },
})

export type EnvironmentActor = ActorRefFrom<typeof environmentMachine>
export type EnvironmentSnapshot = SnapshotFrom<typeof environmentMachine>

/** Sends the machine that invokes it each change of its environment; a change it does not handle is ignored. */
export const environmentChanges = fromCallback<EnvironmentEvent, {environment: EnvironmentActor}>(
  ({input: {environment}, sendBack}) => {
    const subscription = environment.on('*', sendBack)
    return () => subscription.unsubscribe()
  },
)

/** For machines that have the ref in their context, under the actor name `environmentChanges`. */
export const environmentInvoke = {
  id: 'environmentChanges',
  src: 'environmentChanges',
  input: ({context: {environment}}: {context: {environment: EnvironmentActor}}) => ({environment}),
  // subscribing to a ref cannot fail
  onError: {},
} as const
