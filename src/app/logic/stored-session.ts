import {marksOf, type ConversationRecord} from '#domain/conversation.ts'
import {readToolSlice, type PersistedState, type StoredConversation, type ToolSlice} from '#domain/persisted-state.ts'
import {isOwnedBy} from '#domain/state-owner.ts'
import type {Provision} from '#machines/provisioning/provisioning.types.ts'
import type {StoredSession} from '#machines/session/session.types.ts'
import {loadPart} from '#ui/load-part.ts'
import type {RootDeps} from './root-deps.ts'

/** A stored conversation as the client works with it; what an older version stored has the server's id as key. */
const toStoredRecord = ({
  id,
  key,
  model,
  title,
  messages,
  unsentVersions,
  updated_at,
  ...marks
}: StoredConversation): ConversationRecord => ({
  ...marksOf(marks),
  key: key ?? id,
  id,
  model: model ?? '',
  ...(title ? {title} : {}),
  messages,
  ...(unsentVersions && {unsentVersions}),
  updatedAt: updated_at ?? 0,
})

/** As the specification stores it; one the server has not named yet lives in the bulk storage alone. */
export const fromRecord = ({
  key,
  id,
  model,
  title,
  messages,
  unsentVersions,
  updatedAt,
  ...marks
}: ConversationRecord): StoredConversation[] =>
  id === undefined
    ? []
    : [
        {
          id,
          key,
          model,
          ...(title === undefined ? {} : {title}),
          messages,
          ...(unsentVersions && {unsentVersions}),
          updated_at: updatedAt,
          ...marksOf(marks),
        },
      ]

type StoredProvision = Pick<Provision, 'service' | 'application' | 'credential'> & {
  applications?: Provision['applications']
}

/** The part of a set-up that is kept. */
export const provisionOf = (
  slice: {[Part in keyof StoredProvision]?: StoredProvision[Part] | null} | undefined,
): Partial<Provision> => ({
  ...(slice?.service ? {service: slice.service} : {}),
  ...(slice?.applications ? {applications: slice.applications} : {}),
  ...(slice?.application ? {application: slice.application} : {}),
  ...(slice?.credential ? {credential: slice.credential} : {}),
})

/** Data of an older version does not say what runs: the tool reads it, once. */
const hasRunning = ({tasks}: ToolSlice = {}) => (tasks?.running ?? tasks?.items ?? []).length > 0

/** Milliseconds. Later nobody remembers the press, and the conversation may have gone on elsewhere. */
const longestOverdue = 86_400_000

/** Deletions of a page that was killed while it offered to take them back; a conversation that was used since stays. */
const overdue = (
  {deletions = []}: PersistedState,
  conversations: readonly ConversationRecord[],
  now: number,
): string[] =>
  deletions.flatMap(({id, until, ahead = 0}) => {
    const isUsed = conversations.some((item) => (item.id ?? item.key) === id && item.updatedAt * 1_000 > until - ahead)
    return until <= now && now - until < longestOverdue && !isUsed ? [id] : []
  })

/** Reads the data that this browser kept for a user: nothing when the store is another user's. */
export async function readStoredSession(
  {state, bulk, tools, timers}: Pick<RootDeps, 'state' | 'bulk' | 'tools' | 'timers'>,
  userId: string,
): Promise<StoredSession> {
  const storedState = state.read()
  const isTheirs = isOwnedBy(storedState, userId)
  const [conversations, intents] = await Promise.all([bulk.conversations(userId), bulk.intents(userId)])
  const recent = isTheirs ? (storedState.chat?.conversations ?? []).map(toStoredRecord) : []
  // the rules for both were loaded with the database
  const records =
    conversations.length === 0
      ? recent
      : (await loadPart(() => import('#browser/bulk-records.ts'))).joinStored(conversations, recent)
  const unconfirmedIds = new Set([
    ...(storedState.chat?.removing ?? []),
    ...overdue(storedState, records, timers.now()),
  ])
  const isUnderway = ({id}: {id: string}) =>
    intents.some(({tool}) => tool === id) || (isTheirs && hasRunning(readToolSlice(storedState, id)))
  return {
    ...(isTheirs ? {provision: provisionOf(storedState.chat)} : {}),
    conversations: records,
    ...(isTheirs ? {unconfirmed: [...unconfirmedIds], unread: storedState.chat?.unread} : {}),
    tools: tools.filter(isUnderway).map(({id}) => id),
    volume: storedState.audio?.volume,
    ...(isTheirs && storedState.player ? {songs: storedState.player} : {}),
  }
}
