import {chatMessage, type ChatMessage} from '#contract/chat.ts'
import {z} from '#contract/schema.ts'

/** Fields that every server knows of a message (contract/chat §1). */
const {role, content, state, error} = chatMessage.shape
const specified = z.object({role, content, state, error})

export type History = {
  id: string
  messages: readonly ChatMessage[]
  /** The server's id of the newest message in the history to cut, if it has one. */
  last?: string | undefined
  /** Those of `service.metadata`. */
  capabilities?: readonly string[]
}

/**
 * Body of the call that cuts a history to `messages`. It has no field that only this client knows, and fields of our
 * server only where the capabilities allow it: only a server that can resume answers names messages.
 */
export const cutHistory = ({id, messages, last, capabilities = []}: History) => ({
  action: 'update',
  id,
  messages: messages.map((message) => {
    if (!capabilities.includes('resume')) return specified.parse(message)
    const {versions, ...named} = chatMessage.parse(message)
    return capabilities.includes('versions') ? {...named, versions} : named
  }),
  last: capabilities.includes('last') ? last : undefined,
})
