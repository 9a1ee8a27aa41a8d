import {identifier, lenient, optional, paged, z} from './schema.ts'

/*
 * The single endpoint: POST {api}/aichat/conversations. The key `action` selects; absent means `chat`. `resume`,
 * `follow` and `stop` are our extensions, used only if `service.metadata.capabilities` offers them.
 */

/** Service id of chat (`contract/chat` §1): applications and GET /services/{id} use it. */
export const chatServiceId = 'b1fbcc32-e218-4253-9dc3-4fe600a1bfb9'

/** Message states (spec §4). */
export const messageStates = ['pending', 'answering', 'finished', 'failed'] as const
export type MessageState = (typeof messageStates)[number]

/** Why a message failed (our extension): the user stopped it, contact was lost, or a server refused. */
export const failureOutcomes = ['stopped', 'interrupted', 'refused'] as const
export type FailureOutcome = (typeof failureOutcomes)[number]

/** `truncated` is how a finished message can end: the model reached its longest answer, the text is incomplete. */
export const messageOutcomes = [...failureOutcomes, 'truncated'] as const
export type MessageOutcome = (typeof messageOutcomes)[number]

/** Some foreign servers number their conversations and messages. */
export const wireId = z.union([
  identifier,
  z.pipe(
    z.number(),
    z.transform((id: number) => String(id)),
  ),
])

const urlForm = z.union([z.string(), z.object({url: z.string()})])
/** Bytes of the file (ours), where the server has it. */
const size = lenient(z.number())
const contentItem = z.union([
  z.object({type: z.literal('text'), text: z.string()}),
  z.object({type: z.literal('image_url'), image_url: urlForm, size}),
  z.object({type: z.literal('file_url'), file_url: urlForm, size}),
])
export type ContentItem = z.infer<typeof contentItem>
const messageContent = z.union([z.string(), z.array(contentItem)])
export type MessageContent = z.infer<typeof messageContent>

export const chatMessage = z.object({
  role: z.enum(['system', 'assistant', 'user']),
  /** Other servers omit it in a message that only calls a tool. */
  content: z._default(messageContent, ''),
  id: optional(wireId),
  state: optional(z.enum(messageStates)),
  outcome: optional(z.enum(messageOutcomes)),
  /**
   * The refusal of a question, kept on the device (ours). `field`: the refused part. `needed`, `available`: exact
   * credits, where it was refused for want of them.
   */
  error: optional(
    z.object({
      code: z.string(),
      message: optional(z.string()),
      field: optional(z.string()),
      needed: optional(z.string()),
      available: optional(z.string()),
    }),
  ),
  attempt: optional(z.number()),
  /** Model that wrote an assistant message (ours). */
  model: optional(z.string()),
  provider: optional(z.string()),
  sandbox: optional(z.boolean()),
  /** When it was asked, in unix seconds (ours). */
  created_at: optional(z.number()),
  /** Milliseconds that its reasoning took (ours). */
  thought_ms: optional(z.number()),
  /** Ids of its versions, oldest first, itself among them (ours, capability `versions`). */
  versions: lenient(z.array(z.string())),
})
export type ChatMessage = z.infer<typeof chatMessage>

export const conversation = z.object({
  id: wireId,
  model: optional(z.string()),
  title: optional(z.string()),
  /** Capability `preset`: what the answers of this conversation are to follow. */
  preset: optional(z.string()),
  messages: z._default(z.array(chatMessage), []),
  /** Unix seconds. */
  updated_at: optional(z.number()),
  /** Ours (capability `marks`): what the user sorts conversations by. */
  pinned: optional(z.boolean()),
  archived: optional(z.boolean()),
  labels: optional(z.array(z.string())),
  /** Capability `revisions`: another one once anything of it, messages included, was changed. */
  revision: optional(z.string()),
})
export type Conversation = z.infer<typeof conversation>
export const conversationPage = paged(conversation)

/** Most answers that one `follow` may name. */
export const mostFollowed = 64

/** Characters of the instructions of one conversation. */
export const longestPreset = 20_000

/** Most conversations of one `mark` or `delete_batch`. */
export const mostMarked = 100
/** Most conversations of one `label`. */
export const mostLabelled = 5_000
/** Most labels of one conversation, and characters of a label. */
export const mostLabels = 20
export const longestLabel = 50
