import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import type {RequestStatus} from '#machines/provisioning/provisioning.selectors.ts'
import type {ConversationListSnapshot} from './conversation-list.machine.ts'
import {answeringKeys, findItem, keyOf} from './conversation-list.rules.ts'
import {conversationId} from './conversation-list.types.ts'

type Snapshot = ConversationListSnapshot

export const selectStatus = ({value}: Snapshot): RequestStatus => (typeof value === 'string' ? value : 'request')
export const selectFailure = ({context}: Snapshot) => context.failure
export const selectUnread = ({context}: Snapshot) => context.unread
/** Keys with a running answer. Not the same array twice. */
export const selectAnswering = ({context}: Snapshot) => answeringKeys(context)
/** Key of the conversation on screen. */
export const selectActiveKey = ({context}: Snapshot) => context.shown[0]

/** By the list's array, so that each actor has its own. `weakMapMemoize` is 0.6 KB of Brotli in the first script. */
const visibleItems = new WeakMap<object, {removing: readonly string[]; visible: ConversationRecord[]}>()
/** All but those being deleted. Same array until one of them changes. */
export function selectItems({context: {items, removing}}: Snapshot): ConversationRecord[] {
  const last = visibleItems.get(items)
  if (last?.removing === removing) return last.visible
  const removingKeys = new Set(removing)
  const visible = items.filter(({key}) => !removingKeys.has(key))
  visibleItems.set(items, {removing, visible})
  return visible
}

export const selectItem = (snapshot: Snapshot, key: string) => findItem(snapshot.context, key)

/** The actor of a conversation, by key or server id; undefined while none runs. */
export function selectConversation(snapshot: Snapshot, key: string): ConversationActor | undefined {
  const ownKey = keyOf(snapshot.context, key)
  // as: children are typed by id, and these ids are made at run time by the one action that spawns conversations
  return snapshot.children[conversationId(ownKey)] as ConversationActor | undefined
}

/** The actor of the conversation on screen. */
export const selectActiveConversation = (snapshot: Snapshot) => {
  const key = selectActiveKey(snapshot)
  return key === undefined ? undefined : selectConversation(snapshot, key)
}

/** Whether a conversation is being deleted, or the list was read and lacks it. */
export const selectIsGone = (snapshot: Snapshot, key: string) => {
  const item = findItem(snapshot.context, key)
  if (item !== undefined) return snapshot.context.removing.includes(item.key)
  return snapshot.context.removed.includes(key) || snapshot.matches('success')
}

/** The opened conversation is neither listed nor new, and nobody looks for it any more, or reads a list that may have it. */
export const selectIsAbsent = (snapshot: Snapshot) => {
  const key = selectActiveKey(snapshot)
  return (
    key !== undefined &&
    !snapshot.context.finding.includes(key) &&
    (snapshot.context.absent.includes(key) || snapshot.matches('success') || snapshot.matches('error')) &&
    selectActiveConversation(snapshot) === undefined
  )
}
