import type {ConversationRecord} from '#domain/conversation.ts'

/** An answer or a task came to its end while this page ran. */
export type EndedWork = {
  /** The same in every tab. */
  tag: string
  title: string
  isFailed: boolean
} & ({kind: 'answer'; record: ConversationRecord; isOnScreen: boolean} | {kind: 'task'; tool: string; id: string})
