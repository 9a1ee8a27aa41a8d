import {assign, enqueueActions, setup} from 'xstate'
import {toFailure} from '#domain/failure.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {PartInput, TaskFact} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolRef} from '#domain/tool-ref.ts'

/** `session`: gets a report of a task that could not be shown. */
export type TaskLookupInput = PartInput & {session: ParentRef<TaskFact>}
/** `wanted`: the id of the task that was asked for last. */
export type TaskLookupContext = TaskLookupInput & {wanted: string}

export type TaskLookupEvent =
  /** The user opens a task that is not listed: it is read by its id. */
  | {type: 'task.find'; id: string}
  /** The server has changed its record of the task, though the task has ended. */
  | {type: 'task.reread'; id: string}

const lookupSetup = setup({
  types: {input: {} as TaskLookupInput, context: {} as TaskLookupContext, events: {} as TaskLookupEvent},
  actors: {
    /** Rejects with status 404 when the server does not know the task. */
    retrieveTask: promisePort<TaskRecord, {ref: ToolRef; id: string}>('retrieveTask'),
  },
  delays: {callDeadline: 25_000},
  guards: {
    isReady: ({context}) => context.list.getSnapshot().hasTag('ready'),
    mayFind: ({context: {list}}, {id}: {id: string}) =>
      list.getSnapshot().hasTag('ready') && list.getSnapshot().context.items.every(({task}) => task.id !== id),
  },
  actions: {
    storeWanted: assign((_, {id}: {id: string}) => ({wanted: id})),
    take: enqueueActions(({enqueue, context}, {output}: {output: TaskRecord}) => {
      enqueue.sendTo(context.list, {type: 'tasks.read', records: [output]})
    }),
    tellUnfound: enqueueActions(({enqueue, context}, {error}: {error: unknown}) => {
      const {session, ref, wanted} = context
      enqueue.sendTo(session, {type: 'task.unfound', tool: ref.tool, id: wanted, failure: toFailure(error)})
    }),
  },
})

/** One task by its id, wherever it is in the server's list. Sends it to the list of tasks, which owns this chart. */
export const taskLookupMachine = lookupSetup.createMachine({
  id: 'lookup',
  context: ({input}) => ({...input, wanted: ''}),
  initial: 'none',
  on: {
    'task.find': {
      guard: {type: 'mayFind', params: ({event}) => event},
      target: '.asking',
      actions: [{type: 'storeWanted', params: ({event}) => event}],
    },
    'task.reread': {
      guard: 'isReady',
      target: '.asking',
      actions: [{type: 'storeWanted', params: ({event}) => event}],
    },
  },
  states: {
    none: {},
    asking: {
      invoke: {
        id: 'retrieveTask',
        src: 'retrieveTask',
        input: ({context: {ref, wanted}}) => ({ref, id: wanted}),
        onDone: {target: 'none', actions: [{type: 'take', params: ({event}) => event}]},
        onError: {target: 'none', actions: [{type: 'tellUnfound', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'none', actions: [{type: 'tellUnfound', params: timeout}]}},
    },
  },
})
