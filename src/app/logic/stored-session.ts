import type {ConversationRecord} from '#domain/conversation.ts'
import type {PersistedState, StoredConversation} from '#domain/persisted-state.ts'
import type {Provision} from '#machines/provisioning/provisioning.types.ts'
import type {StoredSession} from '#machines/session/session.types.ts'
import type {RootDeps} from './root-deps.ts'

/** A stored conversation as the client works with it; what an older version stored has the server's id as key. */
export const toStoredRecord = ({
  id,
  key,
  model,
  title,
  messages,
  updated_at,
}: StoredConversation): ConversationRecord => ({
  key: key ?? id,
  id,
  model: model ?? '',
  ...(title ? {title} : {}),
  messages,
  updatedAt: updated_at ?? 0,
})

/** As the specification stores it; one the server has not named yet lives in the bulk storage alone. */
export const fromRecord = ({key, id, model, title, messages, updatedAt}: ConversationRecord): StoredConversation[] =>
  id === undefined ? [] : [{id, key, model, ...(title === undefined ? {} : {title}), messages, updated_at: updatedAt}]

const provisionOf = ({chat}: PersistedState): Partial<Provision> => ({
  ...(chat?.service ? {service: chat.service} : {}),
  ...(chat?.applications ? {applications: chat.applications} : {}),
  ...(chat?.application ? {application: chat.application} : {}),
  ...(chat?.credential ? {credential: chat.credential} : {}),
})

/** What this browser kept for a person: nothing when the store is another person's. */
export async function readStoredSession({state, bulk}: RootDeps, userId: string): Promise<StoredSession> {
  const stored = state.read()
  const isTheirs = stored.user === undefined || stored.user.id === userId
  const conversations = await bulk.conversations(userId)
  const known = new Set(conversations.map(({key}) => key))
  const recent = isTheirs ? (stored.chat?.conversations ?? []).map(toStoredRecord) : []
  return {
    provisions: isTheirs ? {chat: provisionOf(stored)} : {},
    conversations: [...conversations, ...recent.filter(({key}) => !known.has(key))],
  }
}
