import {assign, not, raise, setup, stateIn, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {lacksVersions, unreadVersions, type VersionNames} from '#domain/hidden-versions.ts'
import type {SearchHit} from '#domain/search-index.ts'
import {promisePort, streamPort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'

/**
 * Conversations that are put into the index, and keys of those that are gone. `versions`: names of the hidden versions
 * that are kept.
 */
export type IndexChanges = {records: readonly ConversationRecord[]; gone: readonly string[]; versions: VersionNames}

/** Fact of the list: all conversations of the device. */
export type RecordsChanged = {type: 'records.changed'; records: readonly ConversationRecord[]}

export type SearchIndexEvent =
  | RecordsChanged
  | {type: 'query.change'; query: string}
  /** The index broke: it is filled anew. */
  | {type: 'search.retry'}
  /** The index has more than at the last search. */
  | {type: 'index.grown'}

type Context = {
  query: string
  /** The hits for `found.query`, which may be an earlier query. */
  found: {query: string; hits: readonly SearchHit[]}
  records: readonly ConversationRecord[]
  /** The conversations that the index has, as they were put there, by key. */
  indexed: Record<string, ConversationRecord>
  /** Names of the hidden versions that this device keeps (docs/decisions/0210). */
  versions: VersionNames
  /** The changes that are on their way to the index. */
  batch: IndexChanges
  failure?: Failure
}

/** Conversations in one message to the worker: 50 messages each take it some 20 ms. */
export const batchSize = 100
/** Conversations whose hidden versions are read at a time. */
const readingSize = 20

/** The next changes of the index: some records of the device that it lacks, and all keys that are gone. */
function changesOf({records, indexed, versions}: Pick<Context, 'records' | 'indexed' | 'versions'>): IndexChanges {
  const changedRecords = records.filter((record) => indexed[record.key] !== record)
  const keys = new Set(records.map(({key}) => key))
  return {
    records: changedRecords.slice(0, batchSize),
    gone: Object.keys(indexed).filter((key) => !keys.has(key)),
    versions,
  }
}

/** The index broke, or took too long. */
const onFailure = {
  target: '#searchIndex.failed',
  actions: [{type: 'storeFailure', params: ({event}: {event: {error: unknown}}) => event}],
} as const
const overdue = {target: '#searchIndex.failed', actions: [{type: 'storeFailure', params: timeout}]} as const

/**
 * Search over the conversations of the device. The index is filled in batches with the first search, and follows the
 * list; what is asked meanwhile is answered from what it has, and again when it has more. Hidden versions are read and
 * kept before that, a few at a time. Owned by `session`; ends with the list.
 */
export const searchIndexMachine = setup({
  types: {context: {} as Context, events: {} as SearchIndexEvent},
  actors: {
    records: streamPort<RecordsChanged>('records'),
    updateIndex: promisePort<void, IndexChanges>('updateIndex'),
    searchConversations: promisePort<readonly SearchHit[], {query: string}>('searchConversations'),
    /** The names of the hidden versions that this device keeps. */
    keptVersions: promisePort<VersionNames>('keptVersions'),
    /** Reads the hidden versions of all these conversations, and keeps them. */
    readVersions: promisePort<VersionNames, {records: readonly ConversationRecord[]}>('readVersions'),
    /** Ends the worker, so that the next call starts with an empty index. */
    resetIndex: promisePort<void>('resetIndex'),
  },
  // without a search nothing waits for versions
  delays: {callDeadline: 15_000, betweenReadings: 3_000, untilNextTry: 60_000},
  guards: {
    hasChanges: ({context}) => {
      const {records, gone} = changesOf(context)
      return records.length > 0 || gone.length > 0
    },
    hasQuery: ({context}) => context.query.trim() !== '',
    lacksVersions: ({context: {records, versions}}) => lacksVersions(records, versions),
    isOther: ({context}, {query}: {query: string}) => query !== context.query,
  },
  actions: {
    storeRecords: assign((_, {records}: Pick<RecordsChanged, 'records'>) => ({records})),
    storeBatch: assign(({context}) => ({batch: changesOf(context)})),
    storeIndexed: assign(({context: {indexed, batch, versions}}) => {
      const {gone} = batch
      // what was read meanwhile is put with the next batch
      const records = batch.records.filter(({id = ''}) => batch.versions[id] === versions[id])
      const keptEntries = Object.entries(indexed).filter(([key]) => !gone.includes(key))
      return {indexed: Object.fromEntries([...keptEntries, ...records.map((record) => [record.key, record] as const)])}
    }),
    storeVersions: assign(({context: {indexed, versions}}, {output}: {output: VersionNames}) => ({
      versions: {...versions, ...output},
      indexed: Object.fromEntries(
        Object.entries(indexed).filter(([, {id = ''}]) => output[id] === undefined || output[id] === versions[id]),
      ),
    })),
    forgetIndexed: assign({indexed: {}}),
    storeQuery: assign((_, {query}: {query: string}) => ({query})),
    storeHits: assign(({context}, {output}: {output: readonly SearchHit[]}) => ({
      found: {query: context.query, hits: output},
    })),
    clearHits: assign(({context}) => ({found: {query: context.query, hits: []}})),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    clearFailure: assign({failure: undefined}),
  },
}).createMachine({
  id: 'searchIndex',
  context: {
    query: '',
    found: {query: '', hits: []},
    records: [],
    indexed: {},
    versions: {},
    batch: {records: [], gone: [], versions: {}},
  },
  initial: 'working',
  invoke: {
    id: 'records',
    src: 'records',
    // the list has ended
    onDone: {target: '.over'},
    onError: {target: '.failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
  },
  on: {
    'records.changed': {actions: [{type: 'storeRecords', params: ({event}) => event}]},
    'query.change': {actions: [{type: 'storeQuery', params: ({event}) => event}]},
  },
  states: {
    working: {
      type: 'parallel',
      states: {
        index: {
          initial: 'unused',
          states: {
            /** Nothing was searched for: no worker runs. */
            unused: {on: {'query.change': {target: 'settled'}}},
            /** The index has all conversations of the device. */
            settled: {always: {guard: 'hasChanges', target: 'filling'}},
            filling: {
              entry: ['storeBatch'],
              invoke: {
                id: 'updateIndex',
                src: 'updateIndex',
                input: ({context: {batch}}) => batch,
                onDone: {target: 'settled', actions: ['storeIndexed', raise({type: 'index.grown'})]},
                onError: onFailure,
              },
              after: {callDeadline: overdue},
            },
          },
        },
        /** The versions that no path here shows: this device reads them once, and keeps them. */
        versions: {
          initial: 'restoring',
          states: {
            restoring: {
              tags: ['reading'],
              invoke: {
                id: 'keptVersions',
                src: 'keptVersions',
                onDone: {target: 'settled', actions: [{type: 'storeVersions', params: ({event}) => event}]},
                // they are read once more
                onError: {target: 'settled'},
              },
              after: {callDeadline: {target: 'settled'}},
            },
            settled: {always: {guard: 'lacksVersions', target: 'pausing'}},
            /** A search waits for them, so it has no pause. */
            pausing: {
              always: {guard: 'hasQuery', target: 'reading'},
              after: {betweenReadings: {target: 'reading'}},
            },
            reading: {
              tags: ['reading'],
              invoke: {
                id: 'readVersions',
                src: 'readVersions',
                input: ({context: {records, versions}}) => ({
                  records: unreadVersions(records, versions, readingSize),
                }),
                onDone: {target: 'settled', actions: [{type: 'storeVersions', params: ({event}) => event}]},
                onError: {target: 'unread'},
              },
              after: {callDeadline: {target: 'unread'}},
            },
            /** Without an answer the search has what the device has; the next letter asks again. */
            unread: {
              always: {guard: not('lacksVersions'), target: 'settled'},
              on: {'query.change': {target: 'settled'}},
              after: {untilNextTry: {target: 'settled'}},
            },
          },
        },
        search: {
          initial: 'resting',
          on: {
            'query.change': {
              guard: {type: 'isOther', params: ({event}) => event},
              target: '.deciding',
              actions: [{type: 'storeQuery', params: ({event}) => event}],
            },
          },
          states: {
            resting: {on: {'index.grown': {guard: 'hasQuery', target: 'asking'}}},
            deciding: {
              always: [
                {guard: 'hasQuery', target: 'asking'},
                {target: 'resting', actions: ['clearHits']},
              ],
            },
            /** Conversations that enter the index meanwhile are asked for afterwards: a filling index gives none. */
            asking: {
              initial: 'current',
              invoke: {
                id: 'searchConversations',
                src: 'searchConversations',
                input: ({context: {query}}) => ({query}),
                onDone: [
                  {
                    guard: stateIn({working: {search: {asking: 'outgrown'}}}),
                    target: 'asking',
                    reenter: true,
                    actions: [{type: 'storeHits', params: ({event}) => event}],
                  },
                  {target: 'resting', actions: [{type: 'storeHits', params: ({event}) => event}]},
                ],
                onError: onFailure,
              },
              states: {
                current: {on: {'index.grown': {target: 'outgrown'}}},
                outgrown: {},
              },
              after: {callDeadline: overdue},
            },
          },
        },
      },
    },
    failed: {
      entry: ['forgetIndexed'],
      on: {'search.retry': {target: 'resetting'}},
    },
    resetting: {
      invoke: {
        id: 'resetIndex',
        src: 'resetIndex',
        onDone: {target: '#searchIndex.working.index.settled', actions: ['clearFailure']},
        onError: {target: 'failed', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'failed', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    over: {type: 'final'},
  },
})

export type SearchIndexActor = ActorRefFrom<typeof searchIndexMachine>
type Snapshot = SnapshotFrom<typeof searchIndexMachine>

/** Hidden versions are being read, or could not be. */
export const selectIsReading = (snapshot: Snapshot) => snapshot.hasTag('reading')
export const selectIsUnread = (snapshot: Snapshot) => snapshot.matches({working: {versions: 'unread'}})
export const selectFound = ({context}: Snapshot) => context.found
export const selectSearchFailure = (snapshot: Snapshot) =>
  snapshot.matches('failed') ? snapshot.context.failure : undefined
/** An answer to the query is under way. */
export const selectIsAsking = (snapshot: Snapshot) => snapshot.matches({working: {search: 'asking'}})
/** How many of the device's conversations the index has; `undefined` once it has all. */
export function selectProgress(snapshot: Snapshot): {done: number; total: number} | undefined {
  if (!snapshot.matches({working: {index: 'filling'}})) return undefined
  const {records, indexed} = snapshot.context
  return {done: Object.keys(indexed).length, total: records.length}
}
