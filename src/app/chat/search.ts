import {Observable} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import {createKeptVersions, type VersionsKey} from '#browser/kept-versions.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationTree} from '#contract/imports.ts'
import {hasVersions, hiddenVersions, isVersionsName, versionsName, type VersionNames} from '#domain/hidden-versions.ts'
import {searchEntry} from '#domain/search-entry.ts'
import {mostHits, type SearchHit} from '#domain/search-index.ts'
import type {SearchCall, SearchReply} from '#features/chat/list/search-calls.ts'
import searchWorker from '#features/chat/list/search.worker.ts?worker&url'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {
  searchIndexMachine,
  type IndexChanges,
  type RecordsChanged,
  type SearchIndexActor,
} from '#machines/search-index/search-index.machine.ts'
import {openPart} from '../logic/open-part.ts'
import type {Root} from '../logic/root.ts'
import type {RootDeps} from '../logic/root-deps.ts'
import {chatService, givesTrees, readTrees} from './read-trees.ts'
import {createWorkerCalls} from './worker-calls.ts'

type SearchDeps = {scriptUrl: (url: string) => string; root: Pick<Root, 'actors' | 'services'>} & Pick<
  RootDeps,
  'lock'
> & {bulk: Pick<RootDeps['bulk'], 'versions' | 'flush'>}

/** The hidden versions that this device keeps of the user's conversations, and the server's others. */
function createVersions(conversations: ConversationListActor, {root, bulk, lock}: SearchDeps) {
  const {userId} = conversations.getSnapshot().context
  const keptVersions = createKeptVersions(bulk, userId)
  const keyOf = (record: ConversationRecord): VersionsKey[] => {
    const name = versionsName(record)
    return record.id === undefined || name === undefined ? [] : [{id: record.id, name}]
  }
  /** A back end without trees has no versions; nothing is kept of it. */
  const readNew = async (records: readonly ConversationRecord[], signal: AbortSignal) => {
    if (chatService(root) === undefined) throw new Error('It is not known whether the server has versions')
    if (!givesTrees(root)) return
    const trees = new Map<string, ConversationTree>()
    const ids = records.flatMap(({id}) => id ?? [])
    await readTrees(root.services.chat, ids, {trees, report: () => undefined, signal})
    const entries = records.flatMap((record) =>
      keyOf(record).map((key) => ({...key, messages: hiddenVersions(record, trees.get(key.id))})),
    )
    await keptVersions.keep(entries, signal)
  }
  return {
    /** Removes those of conversations that have no versions any more. */
    async names(): Promise<VersionNames> {
      const names = await keptVersions.names()
      const ids = new Set(
        selectItems(conversations.getSnapshot()).flatMap((item) => (hasVersions(item) ? [] : item.id)),
      )
      const needless = Object.entries(names).flatMap(([id, name]) =>
        ids.has(id) && name !== undefined ? [{id, name}] : [],
      )
      keptVersions.forget(needless)
      return names
    },
    /** One tab asks at a time, and finds what the one before it has kept. */
    read: (records: readonly ConversationRecord[], signal: AbortSignal): Promise<VersionNames> =>
      lock(`versions/${userId}`, async () => {
        const names = await keptVersions.names()
        const newRecords = records.filter((record) => !isVersionsName(record, names[record.id ?? '']))
        if (newRecords.length > 0) await readNew(newRecords, signal)
        const newNames = newRecords.flatMap(keyOf).map(({id, name}) => [id, name] as const)
        const others = records.flatMap(({id}) => (id === undefined ? [] : [[id, names[id]] as const]))
        return Object.fromEntries([...others, ...newNames])
      }),
    /** The texts for the index. */
    async entries({records, versions}: Pick<IndexChanges, 'records' | 'versions'>) {
      const keys = records.flatMap((record) => {
        const [id, name] = [record.id, versions[record.id ?? '']]
        return id !== undefined && name !== undefined && isVersionsName(record, name) ? [{id, name}] : []
      })
      const messages = await keptVersions.read(keys)
      return records.map((record) => searchEntry(record, messages.get(record.id ?? '')))
    },
  }
}

const recordsOf = (conversations: ConversationListActor) =>
  new Observable<RecordsChanged>((subscriber) => {
    let last: readonly ConversationRecord[] | undefined
    const report = () => {
      const records = selectItems(conversations.getSnapshot())
      if (records === last) return
      last = records
      subscriber.next({type: 'records.changed', records})
    }
    report()
    return conversations.subscribe({
      next: report,
      complete: () => subscriber.complete(),
      error: () => subscriber.complete(),
    })
  })

/** The chart with its worker, and what ends that. */
function createLogic(conversations: ConversationListActor, deps: SearchDeps) {
  const {call, end} = createWorkerCalls<SearchCall, SearchReply>(
    'search',
    () => new Worker(deps.scriptUrl(searchWorker), {type: 'module'}),
  )
  const ask = (request: SearchCall) => call<readonly SearchHit[]>(request, ({hits}, {resolve}) => resolve(hits))
  const versions = createVersions(conversations, deps)
  const machine = searchIndexMachine.provide({
    actors: {
      records: fromEventObservable<RecordsChanged, undefined>(() => recordsOf(conversations)),
      updateIndex: fromPromise<void, IndexChanges>(async ({input}) => {
        await ask({type: 'update', entries: await versions.entries(input), gone: input.gone})
      }),
      keptVersions: fromPromise<VersionNames, undefined>(() => versions.names()),
      readVersions: fromPromise<VersionNames, {records: readonly ConversationRecord[]}>(({input: {records}, signal}) =>
        versions.read(records, signal),
      ),
      searchConversations: fromPromise<readonly SearchHit[], {query: string}>(({input: {query}}) =>
        ask({type: 'find', query, most: mostHits}),
      ),
      resetIndex: fromPromise<void, undefined>(async () => end('The search starts again')),
    },
  })
  return {machine, end}
}

/** The search of a session, started with the first use; it ends with the session's list. */
export function startSearch(conversations: ConversationListActor, deps: SearchDeps): SearchIndexActor | undefined {
  const ends: ((reason: string) => void)[] = []
  const search = openPart(conversations.system, 'searchIndex', () => {
    const {machine, end} = createLogic(conversations, deps)
    ends.push(end)
    return {machine, input: undefined}
  })
  // the worker is this one's, which was just started
  const endAll = () => ends.forEach((end) => end('The search ended'))
  search?.subscribe({complete: endAll, error: endAll})
  return search
}
