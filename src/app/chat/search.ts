import {Observable} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
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
import {createWorkerCalls} from './worker-calls.ts'

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
function createLogic(conversations: ConversationListActor, scriptUrl: (url: string) => string) {
  const {call, end} = createWorkerCalls<SearchCall, SearchReply>(
    'search',
    () => new Worker(scriptUrl(searchWorker), {type: 'module'}),
  )
  const ask = (request: SearchCall) => call<readonly SearchHit[]>(request, ({hits}, {resolve}) => resolve(hits))
  const machine = searchIndexMachine.provide({
    actors: {
      records: fromEventObservable<RecordsChanged, undefined>(() => recordsOf(conversations)),
      updateIndex: fromPromise<void, IndexChanges>(async ({input: {records, gone}}) => {
        await ask({type: 'update', entries: records.map(searchEntry), gone})
      }),
      searchConversations: fromPromise<readonly SearchHit[], {query: string}>(({input: {query}}) =>
        ask({type: 'find', query, most: mostHits}),
      ),
      resetIndex: fromPromise<void, undefined>(async () => end('The search starts again')),
    },
  })
  return {machine, end}
}

/** The search of a session, started with the first use; it ends with the session's list. */
export function startSearch(
  conversations: ConversationListActor,
  scriptUrl: (url: string) => string,
): SearchIndexActor | undefined {
  const ends: ((reason: string) => void)[] = []
  const search = openPart(conversations.system, 'searchIndex', () => {
    const {machine, end} = createLogic(conversations, scriptUrl)
    ends.push(end)
    return {machine, input: undefined}
  })
  // the worker is this one's, which was just started
  const endAll = () => ends.forEach((end) => end('The search ended'))
  search?.subscribe({complete: endAll, error: endAll})
  return search
}
