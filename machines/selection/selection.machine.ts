import {assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {PackedFile, PackFact} from '#domain/packed-file.ts'
import {streamPort, unfilledAction} from '#machines/lib/ports.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {chosenUpTo, listedAmong, nextTasks, toggled} from './selection.rules.ts'
import type {ListedFact, SelectedTask, SelectionContext, SelectionEvent, SelectionInput} from './selection.types.ts'

const removalPrefix = 'removal/'
const removalId = (task: string) => `${removalPrefix}${task}` as const
const removedTask = (actorId: string) => actorId.slice(removalPrefix.length)

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
    /** Deletes one task for good, as a deletion whose time to be taken back is over. */
    removal: removalMachine,
    /** Notes that these are being deleted, for the next page of this browser, as long as the list has them. */
    noteDeletions: streamPort<never, {ref: ToolRef; ids: string[]}>('noteDeletions'),
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
    isAllHeard: ({context: {done, deleting}}) => done >= deleting.length,
    isRemoval: ({context: {deleting}}, {actorId}: {actorId: string}) =>
      deleting.some(({id}) => removalId(id) === actorId),
  },
  actions: {
    clear: assign({chosen: [], anchor: undefined}),
    toggle: assign(({context}, {id}: {id: string}) => ({chosen: toggled(context.chosen, id), anchor: id})),
    extend: assign(({context: {chosen, anchor}}, {id, order}: {id: string; order: string[]}) => ({
      chosen: chosenUpTo(chosen, anchor, id, order),
      anchor: id,
    })),
    choose: assign(({context}, {ids}: {ids: string[]}) => ({chosen: [...new Set([...context.chosen, ...ids])]})),
    storeListed: assign(({context}, {ids, gone}: {ids: string[]; gone: string[]}) => ({
      ...listedAmong(context, ids),
      gone,
    })),
    storeDeleting: assign((_, {tasks}: {tasks: SelectedTask[]}) => ({deleting: tasks, kept: [], done: 0})),
    removeNext: enqueueActions(({enqueue, context: {ref, deleting, done, gone}, self}) => {
      for (const {id: key} of nextTasks(deleting, done)) {
        // the port needs the service as well; a task that the server does not know any more needs no call
        const id = gone.includes(key) ? undefined : `${ref.service}/${key}`
        enqueue.spawnChild('removal', {id: removalId(key), input: {parentRef: self, key, id}})
        enqueue.sendTo(removalId(key), {type: 'removal.flush'})
      }
    }),
    stopRemovals: enqueueActions(({enqueue, context: {deleting}}) => {
      for (const {id} of deleting) enqueue.stopChild(removalId(id))
    }),
    storeDeleted: assign(({context}, {key}: {key: string}) => ({
      done: context.done + 1,
      chosen: context.chosen.filter((chosenId) => chosenId !== key),
    })),
    storeKept: assign(({context}, {key}: {key: string}) => ({
      done: context.done + 1,
      kept: [...context.kept, ...context.deleting.filter(({id}) => id === key)],
    })),
    /** Port: the list hears that the server has the task no more. */
    tellDeleted: (_, _task: {key: string}) => unfilledAction('tellDeleted'),
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
    /** Port: what was noted of these deletions holds no more. */
    forgetDeletions: (_, _tool: {ref: ToolRef}) => unfilledAction('forgetDeletions'),
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
    gone: [],
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
              actions: [{type: 'storeDeleting', params: ({event}) => event}, 'removeNext'],
            },
          },
        },
        deleting: {
          tags: ['working'],
          initial: 'waiting',
          invoke: {
            id: 'noteDeletions',
            src: 'noteDeletions',
            input: ({context: {ref, deleting}}) => ({ref, ids: deleting.map(({id}) => id)}),
            // the next page shows them until the server is done
            onError: {},
          },
          exit: ['stopRemovals', {type: 'forgetDeletions', params: ({context}) => context}],
          onDone: [
            {guard: 'hasKept', target: 'choosing', actions: [{type: 'tellKept', params: keptOf}]},
            {guard: 'isEmpty', target: '#selection.idle'},
            {target: 'choosing'},
          ],
          states: {
            waiting: {
              always: {guard: 'isAllHeard', target: 'heard'},
              // a deletion has a shorter deadline of its own
              after: {
                silence: {
                  target: '#selection.selecting.choosing',
                  actions: ['keepUnheard', {type: 'tellKept', params: keptOf}],
                },
              },
              // each answer restarts the watch
              on: {
                'removal.done': {
                  target: 'waiting',
                  reenter: true,
                  actions: [
                    {type: 'tellDeleted', params: ({event}) => event},
                    {type: 'storeDeleted', params: ({event}) => event},
                    'removeNext',
                  ],
                },
                'removal.failed': {
                  target: 'waiting',
                  reenter: true,
                  actions: [{type: 'storeKept', params: ({event}) => event}, 'removeNext'],
                },
                // it broke
                'xstate.error.actor.*': {
                  guard: {type: 'isRemoval', params: ({event}) => event},
                  target: 'waiting',
                  reenter: true,
                  actions: [
                    {type: 'storeKept', params: ({event: {actorId}}) => ({key: removedTask(actorId)})},
                    'removeNext',
                  ],
                },
              },
            },
            heard: {type: 'final'},
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
