import {chatMessage, conversation, type ChatMessage, type Conversation, type MessageContent} from '#contract/chat.ts'
import {z} from '#contract/schema.ts'
import {deletesMessages} from '#domain/conversation.ts'
import {truncationOf, type Truncation} from '#domain/truncation.ts'
import {ApiError} from './api-error.ts'
import type {Call} from './request.ts'

/** Fields that every server knows of a message (contract/chat §1). */
const {role, content, state, error} = chatMessage.shape
const specifiedFields = z.object({role, content, state, error})

type Command = <T>(
  answer: z.core.$ZodType<T>,
  body: object,
  options: Pick<Call<unknown>, 'isLenient' | 'signal'>,
) => Promise<T>

export type History = Truncation & {
  id: string
  /** Capabilities of `service.metadata`. */
  capabilities?: readonly string[]
}

/** Sends the deletions of the user (our extension `versions`), and cuts the history. Answers with the last copy. */
export async function cutHistory(
  command: Command,
  {id, capabilities = [], ...truncation}: History,
  signal?: AbortSignal,
): Promise<Conversation | undefined> {
  const {removing, messages, last} = truncationOf(truncation)
  let copy: Conversation | undefined
  const read = (body: object) => command(conversation, {...body, id}, {isLenient: true, signal})
  // a cut history lacks them, and a service that deletes none keeps them until it does
  for (const message of deletesMessages(capabilities) ? removing : []) {
    copy = await read({action: 'remove', message}).catch((error: unknown) => {
      // an earlier call's answer was lost: only the copy shows what replaces it
      if (error instanceof ApiError && error.status === 404) return copy ?? read({action: 'retrieve'})
      throw error
    })
  }
  if (messages === undefined) return copy
  const body = {
    action: 'update',
    id,
    messages: messages.map((message) => toSent(message, capabilities)),
    // a longer history is not cut
    last: capabilities.includes('last') ? last : undefined,
  }
  await command(z.unknown(), body, {signal})
  return copy
}

/**
 * Nothing that only this client knows, and fields of our server only where the capabilities allow it: only a server
 * that can resume answers names messages.
 */
function toSent({content: storedContent, ...rest}: ChatMessage, capabilities: readonly string[]) {
  const message = {...rest, content: withoutSizes(storedContent)}
  if (!capabilities.includes('resume')) return specifiedFields.parse(message)
  // a server of the version before knows neither time
  const {versions, created_at: _asked, thought_ms: _took, ...wireMessage} = chatMessage.parse(message)
  return capabilities.includes('versions') ? {...wireMessage, versions} : wireMessage
}

/** The server has the sizes of files, or knows none. */
const withoutSizes = (content: MessageContent): MessageContent =>
  typeof content === 'string'
    ? content
    : content.map((item) => (item.type === 'text' ? item : {...item, size: undefined}))
