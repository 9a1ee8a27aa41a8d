import {assign, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {PackedFile, PackFact} from '#domain/packed-file.ts'
import {streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {chosenUpTo, listedAmong, toggled} from './selection.rules.ts'
import type {
  DeletionFact,
  ListedFact,
  SelectedTask,
  SelectionContext,
  SelectionEvent,
  SelectionInput,
} from './selection.types.ts'

/**
 * Several results of one tool, chosen to be deleted or downloaded together. Owned by the tool, not by the screen: what
 * was begun goes on when the user leaves. What is chosen is left with `selection.leave`, or when all of it is done.
 */
export const selectionMachine = setup({
  types: {
    input: {} as SelectionInput,
    context: {} as SelectionContext,
    events: {} as SelectionEvent,
    tags: {} as 'selecting' | 'working',
  },
  actors: {
    /** The tasks of the tool, now and whenever one comes or goes. */
    listed: streamPort<ListedFact, {ref: ToolRef}>('listed'),
    /** Deletes each for good and says of each what came of it. */
    deleteTasks: streamPort<DeletionFact, {ref: ToolRef; ids: string[]}>('deleteTasks'),
    /** Gives the user one archive of those that can be loaded. */
    packFiles: streamPort<PackFact, {ref: ToolRef; files: PackedFile[]}>('packFiles'),
  },
  delays: {silence: 60_000, fileDeadline: 300_000},
  guards: {
    isEmpty: ({context}) => context.chosen.length === 0,
    hasChosen: ({context}) => context.chosen.length > 0,
    hasTasks: (_, {tasks}: {tasks: SelectedTask[]}) => tasks.length > 0,
    hasFiles: (_, {files}: {files: PackedFile[]}) => files.length > 0,
    hasKept: ({context}) => context.kept.length > 0,
    hasFailed: ({context}) => context.failed.length > 0,
  },
  actions: {
    clear: assign({chosen: [], anchor: undefined}),
    toggle: assign(({context}, {id}: {id: string}) => ({chosen: toggled(context.chosen, id), anchor: id})),
    extend: assign(({context: {chosen, anchor}}, {id, order}: {id: string; order: string[]}) => ({
      chosen: chosenUpTo(chosen, anchor, id, order),
      anchor: id,
    })),
    choose: assign(({context}, {ids}: {ids: string[]}) => ({chosen: [...new Set([...context.chosen, ...ids])]})),
    storeListed: assign(({context}, {ids}: {ids: string[]}) => listedAmong(context, ids)),
    storeDeleting: assign((_, {tasks}: {tasks: SelectedTask[]}) => ({deleting: tasks, kept: [], done: 0})),
    storeDeleted: assign(({context}, {id}: {id: string}) => ({
      done: context.done + 1,
      chosen: context.chosen.filter((chosenId) => chosenId !== id),
    })),
    storeKept: assign(({context}, {id}: {id: string}) => ({
      done: context.done + 1,
      kept: [...context.kept, ...context.deleting.filter((task) => task.id === id)],
    })),
    /** Nothing was heard of the rest: they stay chosen, and are told of as not deleted. */
    keepUnheard: assign(({context: {chosen, deleting}}) => ({
      kept: deleting.filter(({id}) => chosen.includes(id)),
    })),
    storeFiles: assign((_, {files}: {files: PackedFile[]}) => ({files, failed: [], done: 0})),
    countFile: assign(({context}) => ({done: context.done + 1})),
    storeFailed: assign(({context}, {name}: {name: string}) => ({
      done: context.done + 1,
      failed: [...context.failed, name],
    })),
    /** Port: says which tasks could not be deleted. */
    tellKept: (_, _kept: {tasks: SelectedTask[]}) => unfilledAction('tellKept'),
    /** Port: says which files are not in the archive. */
    tellFailed: (_, _failed: {names: string[]}) => unfilledAction('tellFailed'),
    /** Port: there is no archive. */
    tellUnpacked: (_, _error: {error: unknown}) => unfilledAction('tellUnpacked'),
  },
}).createMachine({
  id: 'selection',
  context: ({input}) => ({
    ...input,
    chosen: [],
    anchor: undefined,
    deleting: [],
    kept: [],
    files: [],
    failed: [],
    done: 0,
  }),
  initial: 'idle',
  states: {
    idle: {
      entry: ['clear'],
      on: {
        'selection.enter': {target: 'selecting'},
        'task.toggle': {target: 'selecting', actions: [{type: 'toggle', params: ({event}) => event}]},
        'task.extend': {target: 'selecting', actions: [{type: 'extend', params: ({event}) => event}]},
      },
    },
    selecting: {
      tags: ['selecting'],
      invoke: {
        id: 'listed',
        src: 'listed',
        input: ({context: {ref}}) => ({ref}),
        // without the list a task that vanished fails when it is used
        onError: {},
      },
      on: {'tasks.listed': {actions: [{type: 'storeListed', params: ({event}) => event}]}},
      initial: 'choosing',
      states: {
        choosing: {
          on: {
            'selection.leave': {target: '#selection.idle'},
            'task.toggle': {actions: [{type: 'toggle', params: ({event}) => event}]},
            'task.extend': {actions: [{type: 'extend', params: ({event}) => event}]},
            'tasks.choose': {actions: [{type: 'choose', params: ({event}) => event}]},
            'tasks.drop': {actions: ['clear']},
            'delete.ask': {guard: 'hasChosen', target: 'confirming'},
            'download.start': {
              guard: {type: 'hasFiles', params: ({event}) => event},
              target: 'packing',
              actions: [{type: 'storeFiles', params: ({event}) => event}],
            },
          },
        },
        confirming: {
          // asked once for all of them
          always: {guard: 'isEmpty', target: 'choosing'},
          on: {
            'selection.leave': {target: '#selection.idle'},
            'delete.cancel': {target: 'choosing'},
            'delete.confirm': {
              guard: {type: 'hasTasks', params: ({event}) => event},
              target: 'deleting',
              actions: [{type: 'storeDeleting', params: ({event}) => event}],
            },
          },
        },
        deleting: {
          tags: ['working'],
          invoke: {
            id: 'deleteTasks',
            src: 'deleteTasks',
            input: ({context: {ref, deleting}}) => ({ref, ids: deleting.map(({id}) => id)}),
            onDone: [
              {guard: 'hasKept', target: 'choosing', actions: [{type: 'tellKept', params: keptOf}]},
              {guard: 'isEmpty', target: '#selection.idle'},
              {target: 'choosing'},
            ],
            onError: {target: 'choosing', actions: ['keepUnheard', {type: 'tellKept', params: keptOf}]},
          },
          initial: 'waiting',
          states: {
            waiting: {
              after: {
                silence: {
                  target: '#selection.selecting.choosing',
                  actions: ['keepUnheard', {type: 'tellKept', params: keptOf}],
                },
              },
              // each word restarts the watch; on `deleting` it would delete anew
              on: {
                'task.deleted': {
                  target: 'waiting',
                  reenter: true,
                  actions: [{type: 'storeDeleted', params: ({event}) => event}],
                },
                'task.kept': {
                  target: 'waiting',
                  reenter: true,
                  actions: [{type: 'storeKept', params: ({event}) => event}],
                },
              },
            },
          },
        },
        packing: {
          tags: ['working'],
          invoke: {
            id: 'packFiles',
            src: 'packFiles',
            input: ({context: {ref, files}}) => ({ref, files}),
            onDone: [
              {guard: 'hasFailed', target: 'choosing', actions: [{type: 'tellFailed', params: failedOf}]},
              {target: '#selection.idle'},
            ],
            onError: {target: 'choosing', actions: [{type: 'tellUnpacked', params: ({event}) => event}]},
          },
          on: {'download.cancel': {target: 'choosing'}},
          initial: 'waiting',
          states: {
            waiting: {
              after: {
                fileDeadline: {
                  target: '#selection.selecting.choosing',
                  actions: [{type: 'tellUnpacked', params: timeout}],
                },
              },
              // each file has its own time; on `packing` they would be loaded anew
              on: {
                'file.packed': {target: 'waiting', reenter: true, actions: ['countFile']},
                'file.failed': {
                  target: 'waiting',
                  reenter: true,
                  actions: [{type: 'storeFailed', params: ({event}) => event}],
                },
              },
            },
          },
        },
      },
    },
  },
})

function keptOf({context}: {context: SelectionContext}) {
  return {tasks: context.kept}
}
function failedOf({context}: {context: SelectionContext}) {
  return {names: context.failed}
}

export type SelectionActor = ActorRefFrom<typeof selectionMachine>
export type SelectionSnapshot = SnapshotFrom<typeof selectionMachine>
