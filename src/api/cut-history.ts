import {chatMessage, conversation, type ChatMessage, type Conversation} from '#contract/chat.ts'
import {z} from '#contract/schema.ts'
import {ApiError} from './api-error.ts'
import type {ChatApi} from './chat.ts'

/** Fields that every server knows of a message (contract/chat §1). */
const {role, content, state, error} = chatMessage.shape
const specified = z.object({role, content, state, error})

export type History = {
  id: string
  /** Ids of messages that the user deleted: our extension `versions`. */
  removing?: readonly string[]
  /** What stays where the history is cut. */
  messages?: readonly ChatMessage[] | undefined
  /** The server's id of the newest message in the history to cut, if it has one. */
  last?: string | undefined
  /** Those of `service.metadata`. */
  capabilities?: readonly string[]
}

/** Deletes what the user deleted, and cuts the history. Answers with the conversation after the last deletion. */
export async function cutHistory(
  command: ChatApi['command'],
  {removing = [], ...history}: History,
  signal?: AbortSignal,
): Promise<Conversation | undefined> {
  let copy: Conversation | undefined
  for (const message of removing) {
    const body = {action: 'remove', id: history.id, message}
    copy = await command(conversation, body, {isLenient: true, signal}).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return copy
      throw error
    })
  }
  const {messages} = history
  if (messages !== undefined) await command(z.unknown(), bodyOf({...history, messages}), {signal})
  return copy
}

/**
 * Body of the call that cuts a history to `messages`. It has no field that only this client knows, and fields of our
 * server only where the capabilities allow it: only a server that can resume answers names messages.
 */
const bodyOf = ({
  id,
  messages,
  last,
  capabilities = [],
}: Omit<History, 'messages'> & {messages: readonly ChatMessage[]}) => ({
  action: 'update',
  id,
  messages: messages.map((message) => {
    if (!capabilities.includes('resume')) return specified.parse(message)
    const {versions, ...named} = chatMessage.parse(message)
    return capabilities.includes('versions') ? {...named, versions} : named
  }),
  last: capabilities.includes('last') ? last : undefined,
})
