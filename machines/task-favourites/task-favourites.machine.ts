import {assign, enqueueActions, setup, type SnapshotFrom} from 'xstate'
import {mergeMarks, type FavouriteMarks} from '#domain/merge-favourites.ts'
import {markedTasks, noMarks, withMark, withoutTasks} from '#domain/favourites.ts'
import {promisePort} from '#machines/lib/ports.ts'
import type {NamedTasks, PartInput} from '#machines/task-list/task-list.types.ts'
import type {ToolRef} from '#domain/tool-ref.ts'

export type TaskFavouritesContext = PartInput & {marks: FavouriteMarks}

export type TaskFavouritesEvent =
  /** Marks a result as a favourite, or takes the mark off. `at` in unix milliseconds. */
  | {type: 'favourite.set'; id: string; isOn: boolean; at: number}
  /** Marks that this browser kept, or that another tab of this user made. */
  | {type: 'favourites.merged'; marks: FavouriteMarks}
  /** The user opens favourites: those outside the list are read. */
  | {type: 'favourites.find'}
  /** The task was removed. */
  | {type: 'task.forgotten'; id: string}

/** Marked tasks that are not listed and may be shown: those that are being deleted are not asked for. */
function missingFavourites({list, marks}: Pick<TaskFavouritesContext, 'list' | 'marks'>): string[] {
  const {items, removing, removed} = list.getSnapshot().context
  const listedIds = new Set([...items.map(({task}) => task.id), ...removing, ...removed])
  return [...markedTasks(marks)].filter((id) => !listedIds.has(id))
}

const favouritesSetup = setup({
  types: {input: {} as PartInput, context: {} as TaskFavouritesContext, events: {} as TaskFavouritesEvent},
  actors: {
    /** Answers with the tasks of these ids that the server knows. */
    retrieveNamed: promisePort<NamedTasks, {ref: ToolRef; ids: string[]}>('retrieveNamed'),
  },
  delays: {callDeadline: 25_000},
  guards: {
    lacksFavourites: ({context}) => context.list.getSnapshot().hasTag('ready') && missingFavourites(context).length > 0,
  },
  actions: {
    set: assign(({context: {marks}}, {id, isOn, at}: {id: string; isOn: boolean; at: number}) => ({
      marks: withMark(marks, id, isOn, at),
    })),
    merge: assign(({context}, {marks}: {marks: FavouriteMarks}) => ({marks: mergeMarks(context.marks, marks)})),
    forget: assign(({context: {marks}}, {ids}: {ids: string[]}) => ({marks: withoutTasks(marks, ids)})),
    /** A task that the server does not know cannot be shown again. */
    take: enqueueActions(({enqueue, context: {list, marks}}, {output}: {output: NamedTasks}) => {
      enqueue.assign({marks: withoutTasks(marks, output.missing)})
      enqueue.sendTo(list, {type: 'tasks.read', records: output.records})
    }),
  },
})

/**
 * The user's favourites among the results of one tool. Marked tasks that lie before the listed ones are read when the
 * user looks at favourites; they go to the list of tasks, which owns this chart.
 */
export const taskFavouritesMachine = favouritesSetup.createMachine({
  id: 'favourites',
  context: ({input}) => ({...input, marks: noMarks}),
  initial: 'none',
  on: {
    'favourite.set': {actions: [{type: 'set', params: ({event}) => event}]},
    'favourites.merged': {actions: [{type: 'merge', params: ({event}) => event}]},
    'task.forgotten': {actions: [{type: 'forget', params: ({event}) => ({ids: [event.id]})}]},
  },
  states: {
    none: {on: {'favourites.find': {guard: 'lacksFavourites', target: 'asking'}}},
    asking: {
      invoke: {
        id: 'retrieveNamed',
        src: 'retrieveNamed',
        input: ({context}) => ({ref: context.ref, ids: missingFavourites(context)}),
        onDone: {target: 'none', actions: [{type: 'take', params: ({event}) => event}]},
        // those that are listed are shown, and the next look asks again
        onError: {target: 'none'},
      },
      after: {callDeadline: {target: 'none'}},
    },
  },
})

export const selectMarks = ({context}: SnapshotFrom<typeof taskFavouritesMachine>) => context.marks
