import {chatMessage} from './chat.ts'
import {identifier, optional, paged, z} from './schema.ts'

/* Links to read-only snapshots of conversations. Ours throughout, only if the page's configuration offers `shares`. */

/** Most links that a user may have at once. */
export const mostShares = 100

/** A link as its owner sees it. */
export const shareLink = z.object({
  /** The handle in the link: it alone lets a reader in. */
  id: z.string().check(z.regex(/^[\w-]{22}$/)),
  conversation_id: identifier,
  title: optional(z.string()),
  /** Whether the snapshot shows the conversation's files. */
  attachments: z.boolean(),
  /** Whether the snapshot names a file, shown or not, there or gone. */
  files: optional(z.boolean()),
  /** Whether readers are shown a file that is still there. */
  shows_files: optional(z.boolean()),
  created_at: z.string(),
  /** When the snapshot was taken. */
  updated_at: z.string(),
})
export type ShareLink = z.infer<typeof shareLink>
/** `files`: the same of the one conversation that the list was asked for. */
export const shareLinkPage = z.object({...paged(shareLink).shape, files: optional(z.boolean())})
export type ShareLinkPage = z.infer<typeof shareLinkPage>

/** A message as readers get it: what was said, by which model, and how it ended. */
const {role, content, state, outcome, model, sandbox, thought_ms} = chatMessage.shape
const sharedMessage = z.object({
  ...{role, content, state, outcome, model, sandbox, thought_ms},
  /** Files that the owner did not share. */
  withheld: optional(z.number()),
})
export type SharedMessage = z.infer<typeof sharedMessage>

/** A shared conversation as a reader gets it. */
export const sharedConversation = z.object({
  title: optional(z.string()),
  messages: z.array(sharedMessage),
  /** When the snapshot was taken. */
  updated_at: z.string(),
})
export type SharedConversation = z.infer<typeof sharedConversation>
