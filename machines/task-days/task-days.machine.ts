import {assign, enqueueActions, setup, type SnapshotFrom} from 'xstate'
import {promisePort} from '#machines/lib/ports.ts'
import type {PageInput, PartInput, TaskPage} from '#machines/task-list/task-list.types.ts'

/** The tasks between `from` and `to`, in unix seconds, have not been read yet. */
export type TaskDaysContext = PartInput & {from?: number | undefined; to?: number | undefined}

export type TaskDaysEvent =
  /** Tasks between two times, in unix seconds; then, page by page, older ones of them. */
  | {type: 'tasks.find'; from: number | undefined; to: number | undefined}
  | {type: 'tasks.findMore'}
  | {type: 'provision.ready'}
  | {type: 'provision.missing'}

const oldestOf = ({records}: TaskPage) => Math.min(...records.map(({task}) => task.created_at))

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
    /** There are older ones. A page that ends where it began would be read for ever. */
    isPart: ({context}, {output}: {output: TaskPage}) =>
      output.records.length > 0 && output.total > output.records.length && oldestOf(output) !== context.to,
  },
  actions: {
    storeTimes: assign((_, {from, to}: {from: number | undefined; to: number | undefined}) => ({from, to})),
    /** A page moves the end of the times to the oldest task that was read. */
    takePage: enqueueActions(({enqueue, context: {list}}, {output}: {output: TaskPage}) => {
      if (output.records.length > 0) enqueue.assign({to: oldestOf(output)})
      enqueue.sendTo(list, {type: 'tasks.read', records: output.records})
    }),
  },
})

/**
 * The days of a history: tasks between two times, page by page, beside the pages of the list. Sends the tasks to the
 * list, which owns this chart.
 */
export const taskDaysMachine = daysSetup.createMachine({
  id: 'days',
  context: ({input}) => input,
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
        onDone: [
          {
            guard: {type: 'isPart', params: ({event}) => event},
            target: 'found.part',
            actions: [{type: 'takePage', params: ({event}) => event}],
          },
          {target: 'found', actions: [{type: 'takePage', params: ({event}) => event}]},
        ],
        onError: {target: 'failed'},
      },
      after: {callDeadline: {target: 'failed'}},
    },
    found: {
      initial: 'all',
      states: {
        all: {},
        part: {on: {'tasks.findMore': {target: '#days.loading'}}},
      },
    },
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
