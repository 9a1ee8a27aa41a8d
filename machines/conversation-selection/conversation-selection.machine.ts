import {assign, setup, type SnapshotFrom} from 'xstate'

export type ConversationSelectionEvent =
  /** Begins to choose, adds a row or takes it out. */
  | {type: 'row.toggle'; key: string}
  /** Adds all rows from the one before to this one. `order`: all keys as they are listed. */
  | {type: 'row.extend'; key: string; order: readonly string[]}
  | {type: 'rows.choose'; keys: readonly string[]}
  | {type: 'selection.end'}
  | {type: 'delete.ask'}
  | {type: 'delete.cancel'}

type Context = {
  /** The chosen rows, in the order of the choice. */
  keys: readonly string[]
  /** The row from which a range begins. */
  anchor: string | undefined
}

const nothing: Context = {keys: [], anchor: undefined}

/** With a row, or without it where it is there. */
const toggled = (keys: readonly string[], key: string): readonly string[] =>
  keys.includes(key) ? keys.filter((other) => other !== key) : [...keys, key]

/** With all rows from the anchor to a row; as `toggled` where one of the two is not listed. */
function extended({keys, anchor}: Context, key: string, order: readonly string[]): readonly string[] {
  const [from = -1, to = -1] = [order.indexOf(anchor ?? key), order.indexOf(key)].sort((a, b) => a - b)
  return from === -1 ? toggled(keys, key) : [...new Set([...keys, ...order.slice(from, to + 1)])]
}

/**
 * Several conversations of a list that are chosen, and the question whether to delete them, which replaces their
 * actions (`offering`); once it was answered with no (`kept`) the focus is on the button that asked. Owned by the list,
 * ends with it; the view changes the conversations.
 */
export const conversationSelectionMachine = setup({
  types: {context: {} as Context, events: {} as ConversationSelectionEvent},
  actions: {
    clear: assign(nothing),
    toggle: assign(({context}, {key}: {key: string}) => ({keys: toggled(context.keys, key), anchor: key})),
    extend: assign(({context}, {key, order}: {key: string; order: readonly string[]}) => ({
      keys: extended(context, key, order),
      anchor: key,
    })),
    choose: assign((_, {keys}: {keys: readonly string[]}) => ({keys})),
  },
}).createMachine({
  id: 'conversationSelection',
  context: nothing,
  initial: 'idle',
  states: {
    idle: {
      entry: ['clear'],
      on: {
        'row.toggle': {target: 'choosing', actions: [{type: 'toggle', params: ({event}) => event}]},
        'row.extend': {target: 'choosing', actions: [{type: 'extend', params: ({event}) => event}]},
        'rows.choose': {target: 'choosing', actions: [{type: 'choose', params: ({event}) => event}]},
      },
    },
    choosing: {
      on: {
        'row.toggle': {actions: [{type: 'toggle', params: ({event}) => event}]},
        'row.extend': {actions: [{type: 'extend', params: ({event}) => event}]},
        'rows.choose': {actions: [{type: 'choose', params: ({event}) => event}]},
        'selection.end': {target: 'idle'},
      },
      initial: 'offering',
      states: {
        offering: {on: {'delete.ask': {target: 'asking'}}},
        asking: {on: {'delete.cancel': {target: 'kept'}}},
        kept: {on: {'delete.ask': {target: 'asking'}}},
      },
    },
  },
})

type ConversationSelectionSnapshot = SnapshotFrom<typeof conversationSelectionMachine>

/** The chosen rows; undefined while nothing is chosen from. */
export const selectChosenKeys = (snapshot: ConversationSelectionSnapshot): readonly string[] | undefined =>
  snapshot.matches('choosing') ? snapshot.context.keys : undefined

export const selectIsAsking = (snapshot: ConversationSelectionSnapshot): boolean =>
  snapshot.matches({choosing: 'asking'})

/** The question was answered with no. */
export const selectIsKept = (snapshot: ConversationSelectionSnapshot): boolean => snapshot.matches({choosing: 'kept'})
