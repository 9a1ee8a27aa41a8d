import {shallowEqual} from '@xstate/react'
import {useDeferredValue, useMemo, useSyncExternalStore} from 'react'
import {stays, type RecordMessage} from '#domain/conversation.ts'
import {countMatches, totalMatches, type RowMatches} from '#domain/find-text.ts'
import {foldText} from '#domain/fold-text.ts'
import {searchWords} from '#domain/search-words.ts'
import {shownText} from '#domain/shown-text.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {FoundThread} from './found-thread.ts'

/** Visible text of messages as it is searched; a message never changes, so its text is made once. */
const foldedTexts = new WeakMap<RecordMessage, string>()

function foldedText(message: RecordMessage): string {
  const messageFold = foldedTexts.get(message)
  if (messageFold !== undefined) return messageFold
  const text = foldText(shownText(message))
  foldedTexts.set(message, text)
  return text
}

/** The messages of each thread, in the form that `useSyncExternalStore` takes. */
function createMessages(threads: readonly FoundThread[]) {
  const read = () => threads.map(({actor}) => selectMessages(actor.getSnapshot()))
  let last = read()
  return {
    get: () => {
      const messages = read()
      if (!shallowEqual(last, messages)) last = messages
      return last
    },
    subscribe: (listener: () => void) => {
      const subscriptions = threads.map(({actor}) => actor.subscribe(listener))
      return () => subscriptions.forEach((each) => each.unsubscribe())
    },
  }
}

/** `thread`: position of its thread among those that are searched. */
type FoundRow = RowMatches & {thread: number}

const none: readonly FoundRow[] = []

/** The messages with a query; an answer counts once it has ended, a deleted message does not. */
function rowsWith(messages: readonly RecordMessage[], query: string): readonly RowMatches[] {
  const foldedQuery = foldText(query.trim())
  if (foldedQuery === '') return none
  return messages.flatMap((message, row) => {
    const count = message.role === 'system' || !stays(message) ? 0 : countMatches(foldedText(message), foldedQuery)
    return count === 0 ? [] : [{row, count}]
  })
}

/** The words of a search that the field finds several times: all as they stand, or else the longest there is. */
export function repeatedQuery(messages: readonly RecordMessage[], query: string): string | undefined {
  for (const words of [query.trim(), ...searchWords(query)]) {
    const count = totalMatches(rowsWith(messages, words))
    if (count > 0) return count > 1 ? words : undefined
  }
  return undefined
}

/** The rows that contain a query, in order: of threads side by side the first row of each, then the second. */
export function useMatches(threads: readonly FoundThread[], query: string): readonly FoundRow[] {
  const all = useMemo(() => createMessages(threads), [threads])
  const messages = useSyncExternalStore(all.subscribe, all.get)
  const deferredQuery = useDeferredValue(query)
  return useMemo(
    () =>
      messages
        .flatMap((ofThread, thread) => rowsWith(ofThread, deferredQuery).map((row) => ({...row, thread})))
        .sort((one, other) => one.row - other.row),
    [messages, deferredQuery],
  )
}
