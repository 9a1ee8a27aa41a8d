import {useSelector} from '@xstate/react'
import {useDeferredValue, useMemo} from 'react'
import {stays, type RecordMessage} from '#domain/conversation.ts'
import {countMatches, totalMatches, type RowMatches} from '#domain/find-text.ts'
import {foldText} from '#domain/fold-text.ts'
import {searchWords} from '#domain/search-words.ts'
import {shownText} from '#domain/shown-text.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'

/** Visible text of messages as it is searched; a message never changes, so its text is made once. */
const foldedTexts = new WeakMap<RecordMessage, string>()

function foldedText(message: RecordMessage): string {
  const messageFold = foldedTexts.get(message)
  if (messageFold !== undefined) return messageFold
  const text = foldText(shownText(message))
  foldedTexts.set(message, text)
  return text
}

const none: readonly RowMatches[] = []

/** The messages with a query; an answer counts once it has ended, a deleted message does not. */
function rowsWith(messages: readonly RecordMessage[], query: string): readonly RowMatches[] {
  const foldedQuery = foldText(query.trim())
  if (foldedQuery === '') return none
  return messages.flatMap((message, row) => {
    const count = message.role === 'system' || !stays(message) ? 0 : countMatches(foldedText(message), foldedQuery)
    return count === 0 ? [] : [{row, count}]
  })
}

/** What of the words of a search the field finds several times: all as they stand, or else the longest one that is there. */
export function repeatedQuery(messages: readonly RecordMessage[], query: string): string | undefined {
  for (const words of [query.trim(), ...searchWords(query)]) {
    const count = totalMatches(rowsWith(messages, words))
    if (count > 0) return count > 1 ? words : undefined
  }
  return undefined
}

/** The rows of a conversation that contain a query, in order. */
export function useMatches(actor: ConversationActor, query: string): readonly RowMatches[] {
  const messages = useSelector(actor, selectMessages)
  const deferredQuery = useDeferredValue(query)
  return useMemo(() => rowsWith(messages, deferredQuery), [messages, deferredQuery])
}
