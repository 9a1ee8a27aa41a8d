import type {ChatApi} from '#api/chat.ts'
import type {Tabs} from '#browser/tabs.ts'
import type {Conversation} from '#contract/chat.ts'
import {stays, toRecord, type RecordMessage} from '#domain/conversation.ts'
import type {ChangesTarget} from '#features/chat/chat.context.tsx'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'

type PendingDeps = {chat: Pick<ChatApi, 'cutHistory' | 'retrieve'>; tabs: Pick<Tabs, 'tell'>}

/**
 * Deletes on the server what the user deleted in this conversation (decision 111). One message after the other, none
 * that was taken back meanwhile, and no call is broken off: the list has what the server did. Rejects where one could
 * not be deleted, also by a server that deletes no messages.
 */
export async function deletePending({chat, tabs}: PendingDeps, {list, conversation: id}: ChangesTarget) {
  const triedIds = new Set<RecordMessage['id']>()
  const next = () =>
    selectItem(list.getSnapshot(), id)?.messages.find((message) => !stays(message) && !triedIds.has(message.id))
  for (let message = next(); message !== undefined; message = next()) {
    triedIds.add(message.id)
    const {capabilities} = list.getSnapshot().context
    const history = {id, messages: [message], cut: undefined, capabilities}
    const copy = await chat.cutHistory(history).catch(async (error: unknown) => {
      // the server may have deleted it and only the response was lost: its copy tells, else the deletion waits on
      await chat.retrieve({conversation: id}).then(
        (current) => takeCopy(list, current),
        () => undefined,
      )
      throw error
    })
    if (copy === undefined) throw new Error('The server deletes no messages')
    takeCopy(list, copy)
    tabs.tell({type: 'conversation.heard', id, isSettled: true})
  }
}

/** Takes the server's copy as the newer one, whatever the clocks say: messages that it lacks are deleted. */
export function takeCopy(list: ConversationListActor, copy: Conversation): void {
  const own = selectItem(list.getSnapshot(), copy.id)
  const record = toRecord(copy, own?.model ?? '')
  const updatedAt = Math.max(record.updatedAt, (own?.updatedAt ?? 0) + 1)
  list.send({type: 'conversation.loaded', record: {...record, updatedAt}})
}
