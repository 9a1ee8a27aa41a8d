import type {ChatApi} from '#api/chat.ts'
import type {Tabs} from '#browser/tabs.ts'
import type {Conversation} from '#contract/chat.ts'
import {stays, toRecord} from '#domain/conversation.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'

type PendingDeps = {chat: Pick<ChatApi, 'cutHistory'>; tabs: Pick<Tabs, 'tell'>; list: ConversationListActor}

/**
 * Before others are given what the server has of these conversations, what the user deleted there is deleted (decision
 * 111); its undo is over. Rejects where one could not be, also by a server that deletes no messages.
 */
export async function deletePending({chat, tabs, list}: PendingDeps, keys: readonly string[], signal: AbortSignal) {
  for (const key of keys) {
    const {id, messages = []} = selectItem(list.getSnapshot(), key) ?? {}
    if (id === undefined || messages.every(stays)) continue
    const {capabilities} = list.getSnapshot().context
    const copy = await chat.cutHistory({id, messages, cut: undefined, capabilities}, signal)
    if (copy === undefined) throw new Error('The server deletes no messages')
    takeCopy(list, copy)
    // no message has this id, so that every tab reads the conversation again
    tabs.tell({type: 'conversation.heard', id, last: `changed/${id}`, isSettled: true})
  }
}

/** The server's copy is the younger one, whatever the clocks say: what it lacks is deleted. */
export function takeCopy(list: ConversationListActor, copy: Conversation): void {
  const own = selectItem(list.getSnapshot(), copy.id)
  const record = toRecord(copy, own?.model ?? '')
  const updatedAt = Math.max(record.updatedAt, (own?.updatedAt ?? 0) + 1)
  list.send({type: 'finding.settled', key: copy.id, record: {...record, updatedAt}})
}
