import {Observable} from 'rxjs'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import {messageText, type ConversationRecord} from '#domain/conversation.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import type {SearchEntry, SearchHit} from '#domain/search-index.ts'
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

/** Most conversations that a search shows. */
const mostHits = 100

const entryOf = (record: ConversationRecord): SearchEntry => ({
  key: record.key,
  title: conversationTitle(record),
  texts: record.messages.map(({role, content}) => (role === 'system' ? '' : messageText(content))),
  updatedAt: record.updatedAt,
})

type Waiting = {resolve: (hits: readonly SearchHit[]) => void; reject: (error: Error) => void}

/** Calls a worker that starts with the first call and ends when it breaks; the next call starts another one. */
function createCaller(start: () => Worker) {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let lastId = 0
  const end = (reason: string) => {
    worker?.terminate()
    worker = undefined
    for (const {reject} of waiting.values()) reject(new Error(reason))
    waiting.clear()
  }
  const open = () => {
    const opened = start()
    opened.onmessage = ({data: {id, hits}}: MessageEvent<SearchReply>) => {
      waiting.get(id)?.resolve(hits)
      waiting.delete(id)
    }
    opened.onerror = ({message}) => end(message || 'The worker of the search broke')
    return opened
  }
  return {
    end,
    call: (call: SearchCall) =>
      new Promise<readonly SearchHit[]>((resolve, reject) => {
        worker ??= open()
        lastId += 1
        waiting.set(lastId, {resolve, reject})
        worker.postMessage({id: lastId, call})
      }),
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
    return conversations.subscribe(report)
  })

const started = new WeakMap<ConversationListActor, SearchIndexActor>()

/** The search of a session, started with the first use; it ends with the session's list. */
export function startSearch(conversations: ConversationListActor, scriptUrl: (url: string) => string) {
  const running = started.get(conversations)
  if (running !== undefined) return running
  const caller = createCaller(() => new Worker(scriptUrl(searchWorker), {type: 'module'}))
  const machine = searchIndexMachine.provide({
    actors: {
      records: fromEventObservable<RecordsChanged, undefined>(() => recordsOf(conversations)),
      updateIndex: fromPromise<void, IndexChanges>(async ({input: {records, gone}}) => {
        await caller.call({type: 'update', entries: records.map(entryOf), gone})
      }),
      searchConversations: fromPromise<readonly SearchHit[], {query: string}>(({input: {query}}) =>
        caller.call({type: 'find', query, most: mostHits}),
      ),
      resetIndex: fromPromise<void, undefined>(async () => caller.end('The search starts again')),
    },
  })
  const actor = createActor(machine).start()
  started.set(conversations, actor)
  conversations.subscribe({
    complete: () => {
      actor.stop()
      caller.end('The session ended')
    },
  })
  return actor
}
