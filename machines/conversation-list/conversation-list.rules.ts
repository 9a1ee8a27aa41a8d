import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationListContext, ConversationPage} from './conversation-list.types.ts'

export const without = (keys: readonly string[], ...gone: (string | undefined)[]) =>
  keys.filter((key) => !gone.includes(key))
export const withKey = (keys: readonly string[], key: string) => (keys.includes(key) ? [...keys] : [...keys, key])

/** The item a key or a server id names. */
export const findItem = ({items}: Pick<ConversationListContext, 'items'>, key: string) =>
  items.find((item) => item.key === key || item.id === key)

/** What an earlier page deleted, under the keys that this page knows it by. */
export function keysToRemove(items: ConversationRecord[], ids: readonly string[]) {
  const keys = ids.map((id) => findItem({items}, id)?.key ?? id)
  return {removing: keys, unconfirmed: keys}
}

/** Those whose actor runs. */
export const removalsOf = ({removing, unconfirmed}: Pick<ConversationListContext, 'removing' | 'unconfirmed'>) =>
  removing.filter((key) => !unconfirmed.includes(key))

/** What a page has that the pages before it had not. */
export const newOf = ({pages}: Pick<ConversationListContext, 'pages'>, {records}: ConversationPage) =>
  records.filter(({key}) => pages.every((known) => known.key !== key))

export const newRecord = (key: string, model: string): ConversationRecord => ({key, model, messages: [], updatedAt: 0})
