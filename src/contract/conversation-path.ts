import {conversation} from './chat.ts'
import {optional, z} from './schema.ts'

/** Answer to `retrieve` with a `message` (capability `paths`). `chosen: false`: the path is not the current one. */
export const conversationPath = z.object({...conversation.shape, chosen: optional(z.boolean())})
export type ConversationPath = z.infer<typeof conversationPath>
