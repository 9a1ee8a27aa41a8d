import type {ConversationRecord} from '#domain/conversation.ts'

type Item = Pick<ConversationRecord, 'key' | 'id'>

/** By the list's array, which is another one with each change. */
const idsByItems = new WeakMap<readonly Item[], ReadonlyMap<string, string | undefined>>()

/** The server's name of a conversation. A thread asks for the drafts of all its messages at once. */
export function idOfKey(items: readonly Item[], key: string): string | undefined {
  const ids = idsByItems.get(items) ?? new Map(items.map((item) => [item.key, item.id]))
  idsByItems.set(items, ids)
  return ids.get(key)
}
