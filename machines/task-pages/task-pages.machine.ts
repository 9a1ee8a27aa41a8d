import {assign, enqueueActions, setup, type SnapshotFrom} from 'xstate'
import {noToken, toFailure} from '#domain/failure.ts'
import {environmentChanges, environmentInvoke} from '#machines/environment/environment.machine.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {PageInput, TaskPage} from '#machines/task-list/task-list.types.ts'
import type {TaskPagesContext, TaskPagesEvent, TaskPagesInput} from './task-pages.types.ts'
import {isBarren, reachOfNewest, reachOfOlder} from './task-pages.rules.ts'

const pagesSetup = setup({
  types: {
    input: {} as TaskPagesInput,
    context: {} as TaskPagesContext,
    events: {} as TaskPagesEvent,
    tags: {} as 'loading' | 'loadingOlder',
  },
  actors: {
    environmentChanges,
    /** Rejects with `no token` when there is none (spec §5). */
    retrieveTasks: promisePort<TaskPage, PageInput>('retrieveTasks'),
  },
  delays: {callDeadline: 25_000, setUpDeadline: 30_000},
  guards: {
    isReady: ({context}) => context.list.getSnapshot().hasTag('ready'),
    isMissing: ({context}) => context.list.getSnapshot().hasTag('missing'),
    mayReadOlder: ({context}) => context.hasOlder && context.list.getSnapshot().hasTag('ready'),
    isBarren: ({context}, {output}: {output: TaskPage}) =>
      isBarren(context, context.list.getSnapshot().context, output),
  },
  actions: {
    takeNewest: enqueueActions(({enqueue, context}, {output}: {output: TaskPage}) => {
      enqueue.assign({...reachOfNewest(context, output), failure: undefined})
      enqueue.sendTo(context.list, {type: 'tasks.read', ...output})
    }),
    /** Its count is of the older tasks alone, so it says nothing of the total. */
    takeOlder: enqueueActions(({enqueue, context}, {output}: {output: TaskPage}) => {
      enqueue.assign({...reachOfOlder(context, output), olderFailure: undefined})
      enqueue.sendTo(context.list, {type: 'tasks.read', records: output.records})
    }),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    storeOlderFailure: assign((_, {error}: {error: unknown}) => ({olderFailure: toFailure(error)})),
  },
})

/**
 * Pages of the server's list: the newest one, read whenever a screen opens, and older ones on demand. Sends the tasks
 * to the list, which owns this chart.
 */
export const taskPagesMachine = pagesSetup.createMachine({
  id: 'pages',
  context: ({input}) => ({...input, hasOlder: false}),
  invoke: environmentInvoke,
  type: 'parallel',
  states: {
    newest: {
      // the request statuses of the specification (spec §4), and the wait for set-up before
      initial: 'none',
      states: {
        none: {on: {'tasks.open': {target: 'opening'}, 'tasks.refresh': {target: 'opening'}}},
        opening: {
          always: [
            {guard: 'isReady', target: 'request'},
            {guard: 'isMissing', target: 'error', actions: [{type: 'storeFailure', params: {error: noToken}}]},
            {target: 'waiting'},
          ],
        },
        waiting: {
          tags: ['loading'],
          // the tool is still being set up
          after: {setUpDeadline: {target: 'error', actions: [{type: 'storeFailure', params: {error: noToken}}]}},
          on: {
            'provision.ready': {target: 'request'},
            'provision.missing': {target: 'error', actions: [{type: 'storeFailure', params: {error: noToken}}]},
          },
        },
        request: {
          tags: ['loading'],
          invoke: {
            id: 'retrieveNewest',
            src: 'retrieveTasks',
            input: ({context: {ref, userId}}) => ({ref, userId}),
            onDone: {target: 'success', actions: [{type: 'takeNewest', params: ({event}) => event}]},
            onError: {target: 'error', actions: [{type: 'storeFailure', params: ({event}) => event}]},
          },
          after: {callDeadline: {target: 'error', actions: [{type: 'storeFailure', params: timeout}]}},
        },
        success: {on: {'tasks.open': {target: 'opening'}, 'tasks.refresh': {target: 'opening'}}},
        error: {
          on: {
            'tasks.open': {target: 'opening'},
            'tasks.refresh': {target: 'opening'},
            'provision.ready': {target: 'request'},
            'connection.restored': {target: 'opening'},
          },
        },
      },
    },
    older: {
      // pages may only repeat cached tasks: a press reads on until a page shows a new one
      initial: 'idle',
      states: {
        idle: {on: {'tasks.older': {guard: 'mayReadOlder', target: 'loading'}}},
        loading: {
          tags: ['loadingOlder'],
          invoke: {
            id: 'retrieveOlder',
            src: 'retrieveTasks',
            input: ({context: {ref, userId, range}}) => ({ref, userId, createdAtMax: range?.from}),
            onDone: [
              {
                guard: {type: 'isBarren', params: ({event}) => event},
                target: 'loading',
                reenter: true,
                actions: [{type: 'takeOlder', params: ({event}) => event}],
              },
              {target: 'idle', actions: [{type: 'takeOlder', params: ({event}) => event}]},
            ],
            onError: {target: 'failed', actions: [{type: 'storeOlderFailure', params: ({event}) => event}]},
          },
          after: {callDeadline: {target: 'failed', actions: [{type: 'storeOlderFailure', params: timeout}]}},
        },
        failed: {on: {'tasks.older': {guard: 'mayReadOlder', target: 'loading'}}},
      },
    },
  },
})

export type TaskPagesSnapshot = SnapshotFrom<typeof taskPagesMachine>
