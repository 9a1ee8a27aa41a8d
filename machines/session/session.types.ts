import type {User} from '#contract/management.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationListFact} from '#machines/conversation-list/conversation-list.types.ts'
import type {Crashes} from '#machines/lib/supervision.ts'
import type {Provision, ProvisionFact} from '#machines/provisioning/provisioning.types.ts'

/** Tools that are worked through an application, by system id suffix. */
export const provisionedTools = ['chat'] as const
export type ProvisionedTool = (typeof provisionedTools)[number]
export const provisioningId = (tool: ProvisionedTool) => `provisioning/${tool}` as const

export type SessionInput = {
  user: User
  epoch: number
  /** The page's origin, for credentials. */
  host: string
}

/** What this browser kept for the person; anything else of it belongs to somebody else and is not read. */
export type StoredSession = {
  provisions: Partial<Record<ProvisionedTool, Partial<Provision>>>
  conversations: ConversationRecord[]
}

export type SessionChild = 'provisioning/chat' | 'conversations'
export type SessionEvent =
  | ProvisionFact
  | ConversationListFact
  /** The person asks to start a part that broke too often. */
  | {type: 'child.restart'; child: SessionChild}

export type SessionContext = SessionInput & {
  stored: StoredSession
  /** Crashes since the last calm minute, by part. */
  crashes: Crashes<SessionChild>
}
