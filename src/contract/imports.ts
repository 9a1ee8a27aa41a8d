import {chatMessage, messageOutcomes, messageStates} from './chat.ts'
import {identifier, lenient, optional, z} from './schema.ts'

/*
 * Conversations that come from a file, and go into one (capability `import`): `import`, `imported` and `export` of
 * POST {api}/aichat/conversations.
 */

/** Name of the capability; the views that need it load it with them. */
export const importCapability = 'import'

/** Apps that a file's conversation comes from. With its id there it is one conversation, however often imported. */
export const importSources = ['atrium', 'chatgpt', 'lobechat'] as const
export type ImportSource = (typeof importSources)[number]

/** Most conversations of one `import`, keys of one `imported`, and ids of one `export`. */
export const mostImported = 50
export const mostImportKeys = 500
export const mostExported = 20
/** In milliseconds: a day. */
export const longestThought = 86_400_000
/** Most messages of one conversation, all versions counted. */
export const mostImportMessages = 5_000

const importKey = z.object({source: z.enum(importSources), source_id: z.string()})
export type ImportKey = z.infer<typeof importKey>

/**
 * The outcome of each conversation of an `import`: it is there now, was there before, waits for its other messages, or
 * is refused.
 */
export const importAnswer = z.object({
  items: z.array(
    z.object({
      source_id: optional(z.string()),
      state: z.enum(['imported', 'present', 'partial', 'refused']),
      id: optional(identifier),
      code: optional(z.string()),
      /** In the language of the request. */
      detail: optional(z.string()),
    }),
  ),
})
export type ImportAnswer = z.infer<typeof importAnswer>

/** Which of the asked keys are here, and as which conversation. */
export const importedAnswer = z.object({items: z.array(z.object({...importKey.shape, id: identifier}))})

/** A conversation with all versions: `parent` is the index of the message before; `current` that of the last shown. */
const conversationTree = z.object({
  id: identifier,
  title: optional(z.string()),
  model: z.string(),
  preset: optional(z.string()),
  created_at: z.number(),
  updated_at: z.number(),
  pinned: optional(z.boolean()),
  archived: optional(z.boolean()),
  labels: optional(z.array(z.string())),
  current: optional(z.number()),
  messages: z.array(
    z.object({
      /** Its name on the server; not in a file. */
      id: optional(identifier),
      role: chatMessage.shape.role,
      content: chatMessage.shape.content,
      parent: z.nullable(z.number()),
      state: optional(z.enum(messageStates)),
      outcome: lenient(z.enum(messageOutcomes)),
      error: optional(z.object({code: z.string(), message: optional(z.string())})),
      model: optional(z.string()),
      sandbox: chatMessage.shape.sandbox,
      thought_ms: chatMessage.shape.thought_ms,
      created_at: z.number(),
      /** When it last left the shown path. */
      hidden_at: optional(z.number()),
    }),
  ),
})
export type ConversationTree = z.infer<typeof conversationTree>
export const exportAnswer = z.object({items: z.array(conversationTree)})
