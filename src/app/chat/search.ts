import {Observable} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationTree} from '#contract/imports.ts'
import {hiddenVersions, versionsBeside, type VersionsOf} from '#domain/hidden-versions.ts'
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
import {givesTrees, readTrees} from './read-trees.ts'
import {createWorkerCalls} from './worker-calls.ts'

type SearchDeps = {scriptUrl: (url: string) => string; root: Pick<Root, 'actors' | 'services'>}

/** Reads none from a back end without trees: it has no versions. */
async function readVersions(
  root: SearchDeps['root'],
  records: readonly ConversationRecord[],
  signal: AbortSignal,
): Promise<VersionsOf> {
  const trees = new Map<string, ConversationTree>()
  const ids = records.flatMap(({id}) => id ?? [])
  if (givesTrees(root)) await readTrees(root.services.chat, ids, {trees, report: () => undefined, signal})
  return Object.fromEntries(records.map((record) => [record.key, hiddenVersions(record, trees.get(record.id ?? ''))]))
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
  const machine = searchIndexMachine.provide({
    actors: {
      records: fromEventObservable<RecordsChanged, undefined>(() => recordsOf(conversations)),
      updateIndex: fromPromise<void, IndexChanges>(async ({input: {records, gone, versions}}) => {
        const entries = records.map((record) => searchEntry(record, versionsBeside(record, versions)))
        await ask({type: 'update', entries, gone})
      }),
      readVersions: fromPromise<VersionsOf, {records: readonly ConversationRecord[]}>(({input: {records}, signal}) =>
        readVersions(deps.root, records, signal),
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
