import {messageText, stays} from '#domain/conversation.ts'
import {withoutThoughts} from '#domain/without-thoughts.ts'
import type {ConversationSnapshot} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'

/** Markdown of the last settled answer that is not deleted, as it is copied; empty where there is none. */
export function lastAnswer(snapshot: ConversationSnapshot): string {
  const last = selectMessages(snapshot).findLast((message) => message.role === 'assistant' && stays(message))
  return last === undefined ? '' : withoutThoughts(messageText(last.content))
}
