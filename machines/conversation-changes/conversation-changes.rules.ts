import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import {isRefusal} from '#domain/failure.ts'
import {itemsNamed} from '#machines/conversation-list/conversation-list.rules.ts'
import type {ConversationListContext} from '#machines/conversation-list/conversation-list.types.ts'
import type {ChangingSettled, PendingChange} from './changing.machine.ts'
import type {ConversationChangesContext} from './conversation-changes.types.ts'

type Items = Pick<ConversationListContext, 'items'>

const changedBack = (
  item: ConversationRecord | undefined,
  {key, ...fields}: ConversationChange,
): ConversationChange => {
  const {title, pinned = false, archived = false, labels = []} = item ?? {}
  const whole = {title, pinned, archived, labels}
  return {...Object.fromEntries(Object.entries(whole).filter(([name]) => name in fields)), key}
}

/** What changes replace, to bring it back. */
export const changesBack = (context: Items, changes: readonly ConversationChange[]): ConversationChange[] => {
  const byName = itemsNamed(context, changes)
  return changes.map((change) => changedBack(byName.get(change.key), change))
}

/** The changes of conversations that the server has. */
export const pendingChanges = (context: Items, changes: readonly ConversationChange[]): PendingChange[] => {
  const byName = itemsNamed(context, changes)
  return changes.flatMap((change) => {
    const item = byName.get(change.key)
    if (item?.id === undefined) return []
    const key = `${'title' in change ? 'title' : 'marks'}:${item.id}`
    return [{key, change: {...change, key: item.id}, previous: changedBack(item, change)}]
  })
}

/** Two changes of the same in one: the newer wish wins, and the server has what it had before the older. */
export const joinedChange = (older: PendingChange | null | undefined, newer: PendingChange): PendingChange => ({
  ...newer,
  change: {...older?.change, ...newer.change},
  previous: {...newer.previous, ...older?.previous},
})

type Changing = Pick<ConversationChangesContext, 'changing'>

/** The fields of a change that another one has as well, or has not. */
const fieldsOf = ({key, ...fields}: ConversationChange, other: ConversationChange, isShared: boolean) => ({
  ...Object.fromEntries(Object.entries(fields).filter(([name]) => name in other === isShared)),
  key,
})

/** The refused changes to roll back: those that no newer change replaces. */
export const refusedChanges = ({changing}: Changing, {sent, failure}: ChangingSettled): ConversationChange[] =>
  failure === undefined
    ? []
    : sent.flatMap(({key, previous}) => {
        const next = changing[key]
        if (!next) return [previous]
        const back = fieldsOf(previous, next.change, false)
        return isRefusal(failure) && Object.keys(back).length > 1 ? [back] : []
      })

/** What waited for these to settle. What did not arrive goes out again with it. */
export const nextChanges = ({changing}: Changing, {sent, failure}: ChangingSettled): PendingChange[] =>
  sent.flatMap((one) => {
    const next = changing[one.key]
    if (!next) return []
    if (failure === undefined) return [next]
    if (!isRefusal(failure)) return [joinedChange(one, next)]
    return [{...next, previous: {...next.previous, ...fieldsOf(one.previous, next.change, true)}}]
  })
