import {assign, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {isSameData} from '#domain/same-data.ts'
import {streamPort, unfilledAction} from '#machines/lib/ports.ts'
import type {
  Column,
  ColumnAsk,
  ColumnCreate,
  ColumnPhase,
  ColumnRetry,
  ColumnsSeen,
  CompareEvent,
  CompareInput,
  CompareTag,
  ComparisonOpen,
  SeenColumn,
} from './compare.types.ts'

/** How many models can be compared. */
export const fewestColumns = 2
export const mostColumns = 4

type Context = {
  /** Names of the models that are chosen for the next comparison, in order. */
  models: string[]
  columns: Column[]
}

const running: readonly ColumnPhase[] = ['waiting', 'writing', 'reconnecting', 'unsent', 'stopping']
export const isRunning = ({phase}: Pick<Column, 'phase'>) => running.includes(phase)
/** A running answer can be stopped unless it is being stopped. */
const isStoppable = (column: Column) => isRunning(column) && column.phase !== 'stopping'
const failedPhases: readonly ColumnPhase[] = ['stopped', 'unconfirmed', 'interrupted', 'refused', 'unpaid']
export const isRetriable = ({phase}: Pick<Column, 'phase'>) => failedPhases.includes(phase)

const nameOf = ({name}: {name: string}) => name
const opened = (name: string): Column => ({name, phase: 'opening'})

/**
 * The column as last seen. An answer not seen to run has no time, nor has a question that waits for the network, nor a
 * conversation that is gone.
 */
function withSeen(column: Column, view: SeenColumn | undefined, at: number): Column {
  if (view === undefined) return column
  const {name, id, phase, askedAt, answer} = view
  const entry = {name, ...(id === undefined ? {} : {id}), phase}
  if (phase === 'unsent' || phase === 'gone') return entry
  if (isRunning(view)) return {...entry, from: askedAt ?? column.from ?? at}
  const tookBefore = column.answer === answer ? column.took : undefined
  const took = column.from === undefined ? (tookBefore ?? view.took) : Math.max(0, at - column.from)
  return {...entry, ...(answer === undefined ? {} : {answer}), ...(took === undefined ? {} : {took})}
}

const withAllSeen = (columns: readonly Column[], seenColumns: readonly SeenColumn[], at: number) =>
  columns.map((column) =>
    withSeen(
      column,
      seenColumns.find(({name}) => name === column.name),
      at,
    ),
  )

/** Names of the columns in the address: ids of the server as soon as they are known. */
const addressNames = (columns: readonly Column[]) => columns.map(({name, id}) => id ?? name)

const showNames = {
  type: 'showNames',
  params: ({context}: {context: Context}) => ({names: addressNames(context.columns)}),
} as const
const keepTimes = {type: 'keepTimes', params: ({context}: {context: Context}) => context.columns} as const
const logFailure = {type: 'logFailure', params: ({event}: {event: {error: unknown}}) => event} as const

/**
 * One question to two to four models, side by side (decision 0063). Owned by its page, ends with it.
 *
 * Each column is a conversation of its own, whose actor belongs to `conversations`: what fails, is stopped or waits for
 * credits in one of them does not touch the others, and leaving the page stops nothing. This chart chooses the models,
 * sends questions and commands to the columns through its ports, and hears how they stand.
 */
export const compareMachine = setup({
  types: {
    input: {} as CompareInput,
    context: {} as Context,
    events: {} as CompareEvent,
    tags: {} as CompareTag,
  },
  actors: {
    /** Puts the conversations on screen, and reports how they stand; unsubscribing takes them off it. */
    columns: streamPort<ColumnsSeen, {names: string[]}>('columns'),
    /** The conversations that the address names, whenever it changes. */
    addresses: streamPort<ComparisonOpen>('addresses'),
  },
  guards: {
    mayToggle: ({context: {models}}, {model}: {model: string}) => models.includes(model) || models.length < mostColumns,
    isComparable: (_, {columns, question}: {columns: readonly unknown[]; question: string}) =>
      columns.length >= fewestColumns && columns.length <= mostColumns && question.trim() !== '',
    hasText: (_, {question}: {question: string}) => question.trim() !== '',
    isFull: ({context: {models}}) => models.length >= mostColumns,
    isEnough: ({context: {models}}) => models.length >= fewestColumns,
    hasColumns: ({context: {columns}}) => columns.length > 0,
    isAnswering: ({context: {columns}}) => columns.some(isRunning),
    isOpening: ({context: {columns}}) => columns.some(({phase}) => phase === 'opening'),
    isGone: ({context: {columns}}) => columns.every(({phase}) => phase === 'gone'),
    /** These columns are not those on screen, by either of their names. */
    isOther: ({context: {columns}}, {names}: {names: string[]}) =>
      names.length !== columns.length ||
      names.some((name, index) => name !== columns[index]?.name && name !== columns[index]?.id),
    isNone: (_, {names}: {names: string[]}) => names.length === 0,
    hasNewNames: ({context: {columns}}, {at, columns: seenColumns}: Omit<ColumnsSeen, 'type'>) =>
      !isSameData(addressNames(columns), addressNames(withAllSeen(columns, seenColumns, at))),
    mayRetry: ({context: {columns}}, {name}: {name: string}) =>
      columns.some((column) => column.name === name && isRetriable(column)),
    mayStop: ({context: {columns}}, {name}: {name: string}) =>
      columns.some((column) => column.name === name && isStoppable(column)),
  },
  actions: {
    toggleModel: assign(({context: {models}}, {model}: {model: string}) => ({
      models: models.includes(model) ? models.filter((name) => name !== model) : [...models, model],
    })),
    openColumns: assign((_, {names}: {names: string[]}) => ({columns: names.map(opened)})),
    clearColumns: assign({columns: []}),
    storeSeen: assign(({context}, {at, columns}: Omit<ColumnsSeen, 'type'>) => ({
      columns: withAllSeen(context.columns, columns, at),
    })),
    /** Ports: each acts on one conversation. */
    createColumns: (_, _params: ColumnCreate[]) => unfilledAction('createColumns'),
    askColumns: (_, _params: ColumnAsk[]) => unfilledAction('askColumns'),
    stopColumns: (_, _params: string[]) => unfilledAction('stopColumns'),
    retryColumn: (_, _params: ColumnRetry) => unfilledAction('retryColumn'),
    /** Port: puts the names into the address of the page, and keeps them as those of the last comparison. */
    showNames: (_, _params: {names: string[]}) => unfilledAction('showNames'),
    /** Port: remembers how long the answers took, for the way back to them. */
    keepTimes: (_, _params: readonly Column[]) => unfilledAction('keepTimes'),
    /** Port: the address or the conversations are not watched any more. */
    logFailure: (_, _params: {error: unknown}) => unfilledAction('logFailure'),
  },
}).createMachine({
  id: 'compare',
  context: ({input: {names, models}}) => ({models: models.slice(0, mostColumns), columns: names.map(opened)}),
  invoke: {
    id: 'addresses',
    src: 'addresses',
    // the page goes on with the conversations that it has
    onError: {actions: [logFailure]},
  },
  initial: 'restoring',
  on: {
    'comparison.open': [
      {guard: {type: 'isNone', params: ({event}) => event}, target: '.choosing', actions: ['clearColumns']},
      {
        guard: {type: 'isOther', params: ({event}) => event},
        target: '.comparing',
        reenter: true,
        actions: [{type: 'openColumns', params: ({event}) => event}],
      },
    ],
  },
  states: {
    restoring: {always: [{guard: 'hasColumns', target: 'comparing'}, {target: 'choosing'}]},
    choosing: {
      entry: [showNames],
      initial: 'counting',
      on: {
        'model.toggle': {
          guard: {type: 'mayToggle', params: ({event}) => event},
          target: '.counting',
          actions: [{type: 'toggleModel', params: ({event}) => event}],
        },
        'comparison.begin': {
          guard: {type: 'isComparable', params: ({event}) => event},
          target: 'comparing',
          actions: [
            {type: 'openColumns', params: ({event: {columns}}) => ({names: columns.map(nameOf)})},
            {
              type: 'createColumns',
              params: ({event: {columns, question, references, sizes, at}}) => {
                const beside = columns.map(nameOf)
                return columns.map((column) => ({column, beside, question, references, sizes, at}))
              },
            },
          ],
        },
      },
      states: {
        counting: {
          always: [{guard: 'isFull', target: 'full'}, {guard: 'isEnough', target: 'enough'}, {target: 'few'}],
        },
        few: {},
        enough: {},
        full: {},
      },
    },
    comparing: {
      tags: ['asked'],
      entry: [showNames],
      initial: 'judging',
      invoke: {
        id: 'columns',
        src: 'columns',
        input: ({context: {columns}}) => ({names: columns.map(nameOf)}),
        onError: {target: 'broken', actions: [logFailure]},
      },
      on: {
        'columns.seen': [
          {
            guard: {type: 'hasNewNames', params: ({event}) => event},
            target: '.judging',
            actions: [{type: 'storeSeen', params: ({event}) => event}, showNames, keepTimes],
          },
          {target: '.judging', actions: [{type: 'storeSeen', params: ({event}) => event}, keepTimes]},
        ],
        'question.ask': {
          guard: {type: 'hasText', params: ({event}) => event},
          actions: [
            {
              type: 'askColumns',
              params: ({event: {asks, question, references, sizes, at}}) =>
                asks.map(({name, key}) => ({name, key, question, references, sizes, at})),
            },
          ],
        },
        'column.stop': {
          guard: {type: 'mayStop', params: ({event}) => event},
          actions: [{type: 'stopColumns', params: ({event: {name}}) => [name]}],
        },
        'columns.stop': {
          actions: [{type: 'stopColumns', params: ({context: {columns}}) => columns.filter(isStoppable).map(nameOf)}],
        },
        'column.retry': {
          guard: {type: 'mayRetry', params: ({event}) => event},
          actions: [{type: 'retryColumn', params: ({event}) => event}],
        },
        'comparison.new': {target: 'choosing', actions: ['clearColumns']},
      },
      states: {
        opening: {},
        judging: {
          always: [
            {guard: 'isAnswering', target: 'answering'},
            {guard: 'isOpening', target: 'opening'},
            {guard: 'isGone', target: 'gone'},
            {target: 'settled'},
          ],
        },
        answering: {tags: ['answering']},
        settled: {},
        gone: {},
      },
    },
    // what watches the conversations broke; they go on
    broken: {
      tags: ['asked'],
      on: {
        'comparison.resume': {target: 'comparing'},
        'comparison.new': {target: 'choosing', actions: ['clearColumns']},
      },
    },
  },
})

export type CompareActor = ActorRefFrom<typeof compareMachine>
export type CompareSnapshot = SnapshotFrom<typeof compareMachine>

export const selectModels = ({context}: CompareSnapshot) => context.models
export const selectColumns = ({context}: CompareSnapshot) => context.columns
export const selectIsAsked = (snapshot: CompareSnapshot) => snapshot.hasTag('asked')
export const selectCanStopAll = ({context: {columns}}: CompareSnapshot) => columns.some(isStoppable)
