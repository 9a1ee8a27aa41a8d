import {assign, enqueueActions, setup, type SnapshotFrom} from 'xstate'
import {promisePort} from '#machines/lib/ports.ts'
import type {PageInput, PartInput, TaskPage} from '#machines/task-list/task-list.types.ts'

/** What lies between `from` and `to`, in unix seconds, has not been read yet. */
export type TaskDaysContext = PartInput & {from?: number | undefined; to?: number | undefined; hasMore: boolean}

export type TaskDaysEvent =
  /** Tasks between two times, in unix seconds; then, page by page, older ones of them. */
  | {type: 'tasks.find'; from: number | undefined; to: number | undefined}
  | {type: 'tasks.findMore'}
  | {type: 'provision.ready'}
  | {type: 'provision.missing'}

const daysSetup = setup({
  types: {
    input: {} as PartInput,
    context: {} as TaskDaysContext,
    events: {} as TaskDaysEvent,
    tags: {} as 'loading',
  },
  actors: {
    /** Rejects with `no token` when there is none (spec §5). */
    retrieveTasks: promisePort<TaskPage, PageInput>('retrieveTasks'),
  },
  delays: {callDeadline: 25_000, setUpDeadline: 30_000},
  guards: {
    isReady: ({context}) => context.list.getSnapshot().hasTag('ready'),
    isMissing: ({context}) => context.list.getSnapshot().hasTag('missing'),
    hasMore: ({context}) => context.hasMore,
  },
  actions: {
    storeTimes: assign((_, {from, to}: {from: number | undefined; to: number | undefined}) => ({
      from,
      to,
      hasMore: false,
    })),
    /** A page moves the end of the times to the oldest task that was read. */
    takePage: enqueueActions(({enqueue, context: {list, to}}, {output}: {output: TaskPage}) => {
      const {records, total} = output
      const oldest = Math.min(...records.map(({task}) => task.created_at))
      // a page that ends where it began would be read for ever
      if (records.length === 0) enqueue.assign({hasMore: false})
      else enqueue.assign({to: oldest, hasMore: total > records.length && oldest !== to})
      enqueue.sendTo(list, {type: 'tasks.read', records})
    }),
  },
})

/**
 * The days of a history: tasks between two times, page by page, beside the pages of the list. Sends the tasks to the
 * list, which owns this chart.
 */
export const taskDaysMachine = daysSetup.createMachine({
  id: 'days',
  context: ({input}) => ({...input, hasMore: false}),
  initial: 'none',
  on: {
    'tasks.find': [
      {guard: 'isReady', target: '.loading', actions: [{type: 'storeTimes', params: ({event}) => event}]},
      {guard: 'isMissing', target: '.failed', actions: [{type: 'storeTimes', params: ({event}) => event}]},
      {target: '.waiting', actions: [{type: 'storeTimes', params: ({event}) => event}]},
    ],
  },
  states: {
    none: {},
    waiting: {
      tags: ['loading'],
      // the tool is still being set up: the days are read once it is
      after: {setUpDeadline: {target: 'failed'}},
      on: {'provision.ready': {target: 'loading'}, 'provision.missing': {target: 'failed'}},
    },
    loading: {
      tags: ['loading'],
      invoke: {
        id: 'retrieveTasks',
        src: 'retrieveTasks',
        input: ({context: {ref, userId, from, to}}) => ({ref, userId, createdAtMin: from, createdAtMax: to}),
        onDone: {target: 'found', actions: [{type: 'takePage', params: ({event}) => event}]},
        onError: {target: 'failed'},
      },
      after: {callDeadline: {target: 'failed'}},
    },
    found: {on: {'tasks.findMore': {guard: 'hasMore', target: 'loading'}}},
    failed: {
      on: {
        'provision.ready': {target: 'loading'},
        'tasks.findMore': [
          {guard: 'isReady', target: 'loading'},
          {guard: 'isMissing', target: 'failed'},
          {target: 'waiting'},
        ],
      },
    },
  },
})

export type TaskDaysSnapshot = SnapshotFrom<typeof taskDaysMachine>
