import {useSelector} from '@xstate/react'
import {useDeferredValue, useMemo} from 'react'
import {stays, type RecordMessage} from '#domain/conversation.ts'
import {countMatches, type RowMatches} from '#domain/find-text.ts'
import {foldText} from '#domain/fold-text.ts'
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

/** The rows of a conversation that contain a query, in order; an answer counts once it has ended, a deleted message does not. */
export function useMatches(actor: ConversationActor, query: string): readonly RowMatches[] {
  const messages = useSelector(actor, selectMessages)
  const deferredQuery = useDeferredValue(query)
  return useMemo(() => {
    const foldedQuery = foldText(deferredQuery.trim())
    if (foldedQuery === '') return none
    return messages.flatMap((message, row) => {
      const count = message.role === 'system' || !stays(message) ? 0 : countMatches(foldedText(message), foldedQuery)
      return count === 0 ? [] : [{row, count}]
    })
  }, [messages, deferredQuery])
}
