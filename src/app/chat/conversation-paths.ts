import type {ChatApi} from '#api/chat.ts'
import type {Tabs} from '#browser/tabs.ts'
import type {Conversation} from '#contract/chat.ts'
import type {RecordMessage} from '#domain/conversation.ts'
import {conversationPath} from '#contract/conversation-path.ts'
import {toFailure} from '#domain/failure.ts'
import {mergeMessage} from '#domain/merge-conversation.ts'
import {lastStored} from '#domain/versions.ts'
import type {ChangesPlace} from '#features/chat/chat.context.tsx'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {selectConversation, selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {MessageChange} from '#machines/message-changes/message-changes.types.ts'
import {takeCopy} from './delete-pending.ts'

type PathDeps = {
  chat: Pick<ChatApi, 'command'>
  tabs: Pick<Tabs, 'tell'>
  /** Our extension `versions`: a change that asks nothing. Answers with the conversation as it is then. */
  changeMessages: (body: object, options: {signal: AbortSignal}) => Promise<Conversation>
}

const actorIn = ({list, conversation}: ChangesPlace) => selectConversation(list.getSnapshot(), conversation)

const visitIn = (place: ChangesPlace) => {
  const snapshot = actorIn(place)?.getSnapshot()
  return snapshot?.matches('visiting') === true ? snapshot : undefined
}

/** A message that is deleted here, and not yet on the server, is deleted on each path that it stands on. */
const withDeletions = ({list, conversation}: ChangesPlace, messages: RecordMessage[]) =>
  messages.map((message) => {
    const own = selectItem(list.getSnapshot(), conversation)?.messages.find(({id}) => id != null && id === message.id)
    return own === undefined ? message : mergeMessage(own, message)
  })

/** The message whose path the thread shows without having chosen it. */
export const visitedMessage = (place: ChangesPlace): string | undefined => visitIn(place)?.context.visit?.message

/** The paths of one conversation: what is read, and what is chosen on the server (decision 172). */
export function createPaths({chat, tabs, changeMessages}: PathDeps, place: ChangesPlace) {
  const {list, conversation} = place
  const leave = () => {
    if (visitIn(place) !== undefined) actorIn(place)?.send({type: 'path.leave'})
  }
  /** The thread goes on with the path that the server has chosen with this change. */
  const choose = async (body: object, signal: AbortSignal) => {
    takeCopy(list, await changeMessages(body, {signal}))
    leave()
    tabs.tell({type: 'conversation.heard', id: conversation, isSettled: true})
  }
  return {
    /** Another version, or another text: of a path that is only visited the text is saved there, so it is chosen first. */
    async change(input: Extract<MessageChange, {action: 'select' | 'edit'}>, signal: AbortSignal): Promise<void> {
      const snapshot = input.action === 'edit' ? visitIn(place) : undefined
      const end = snapshot && lastStored(selectMessages(snapshot))
      if (end !== undefined) await choose({action: 'select', message: end}, signal)
      await choose(input, signal)
    },
    /** Shows the path through a message. A server without the capability `paths` chooses it. */
    async visit({message}: {message: string}, signal: AbortSignal): Promise<void> {
      if (!list.getSnapshot().context.capabilities.includes('paths')) {
        await choose({action: 'select', message}, signal)
        return
      }
      const body = {action: 'retrieve', id: conversation, message}
      const reading = chat.command(conversationPath, body, {signal, isRead: true, isLenient: true})
      const copy = await reading.catch((error: unknown) => {
        if (toFailure(error).status === 404) leave()
        throw error
      })
      if (copy.chosen === false) {
        actorIn(place)?.send({type: 'path.show', message, messages: withDeletions(place, copy.messages)})
        return
      }
      takeCopy(list, copy)
      leave()
    },
  }
}
