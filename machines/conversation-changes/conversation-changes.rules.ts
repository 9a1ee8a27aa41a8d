import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import {isRefusal} from '#domain/failure.ts'
import {itemsNamed} from '#machines/conversation-list/conversation-list.rules.ts'
import type {ConversationLoaded} from '#machines/conversation-list/finding.machine.ts'
import type {ConversationListContext} from '#machines/conversation-list/conversation-list.types.ts'
import {without} from '#machines/lib/keys.ts'
import type {ChangingSettled, PendingChange} from './changing.machine.ts'
import type {ConversationChangesContext, RepeatedChange} from './conversation-changes.types.ts'

type Items = Pick<ConversationListContext, 'items'>

const changedBack = (
  item: ConversationRecord | undefined,
  {key, ...fields}: ConversationChange,
): ConversationChange => {
  const {title, pinned = false, archived = false, labels = []} = item ?? {}
  const whole = {title, pinned, archived, labels}
  return {...Object.fromEntries(Object.entries(whole).filter(([name]) => name in fields)), key}
}

/** The values that changes replace, to bring them back. */
export const changesBack = (context: Items, changes: readonly ConversationChange[]): ConversationChange[] => {
  const byName = itemsNamed(context, changes)
  return changes.map((change) => changedBack(byName.get(change.key), change))
}

type Field = Exclude<keyof ConversationChange, 'key'>

/** Names what one call changes: a title, or the marks. */
const changedKey = (name: Field, id: string) => `${name === 'title' ? 'title' : 'marks'}:${id}`

/** The conversation that a key names. */
export const idOf = (key: string) => key.slice(key.indexOf(':') + 1)

/** The changes of conversations that the server has. */
export const pendingChanges = (context: Items, changes: readonly ConversationChange[]): PendingChange[] => {
  const byName = itemsNamed(context, changes)
  return changes.flatMap((change) => {
    const item = byName.get(change.key)
    if (item?.id === undefined) return []
    const key = changedKey('title' in change ? 'title' : 'labels', item.id)
    return [{key, change: {...change, key: item.id}, previous: changedBack(item, change)}]
  })
}

/** Names what some changes change, so that one notice of the same replaces another. */
export const aboutOf = (pending: readonly PendingChange[]): string =>
  pending.map(({key, change}) => [key, ...Object.keys(change).filter((name) => name !== 'key')].join('/')).join(' ')

/** `key` and those of its fields that are wanted. */
const fieldsOf = (change: ConversationChange, isWanted: (name: Field) => boolean): ConversationChange => ({
  // as: a change has no other fields
  ...Object.fromEntries(Object.entries(change).filter(([name]) => name !== 'key' && isWanted(name as Field))),
  key: change.key,
})
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The values to restore when both changes are refused: a change of another tab in between stays. */
const previousOf = (older: PendingChange, newer: PendingChange): ConversationChange => ({
  ...newer.previous,
  ...fieldsOf(older.previous, (name) => name in newer.previous && isSame(newer.previous[name], older.change[name])),
  key: newer.previous.key,
})

/** Two changes of the same in one: the newer wish wins, and the server has what it had before the older. */
export const joinedChange = (older: PendingChange | null | undefined, newer: PendingChange): PendingChange =>
  older == null
    ? newer
    : {
        ...newer,
        change: {...older.change, ...newer.change},
        previous: {...older.previous, ...previousOf(older, newer)},
      }

type Changing = Pick<ConversationChangesContext, 'changing'>

/**
 * The refused changes to roll back: those that no newer change replaces, in this tab or in another one, whose changes
 * the list shows.
 */
export function refusedChanges(
  {changing, items}: Changing & Items,
  {sent, failure}: ChangingSettled,
): ConversationChange[] {
  if (failure === undefined) return []
  const byName = itemsNamed(
    {items},
    sent.map(({change}) => change),
  )
  return sent.flatMap(({key, change, previous}) => {
    const [next, item] = [changing[key], byName.get(change.key)]
    if (next && !isRefusal(failure)) return []
    const back = fieldsOf(
      previous,
      (name) => !(next && name in next.change) && (item === undefined || isSame(item[name], change[name])),
    )
    return Object.keys(back).length > 1 ? [back] : []
  })
}

/** Makes these once more that were rolled back; undefined where the server refuses them. */
export function repeatOf(
  {sent, failure}: ChangingSettled,
  rolledBack: readonly ConversationChange[],
): RepeatedChange | undefined {
  if (failure === undefined || isRefusal(failure)) return undefined
  const changes = sent.flatMap(({change}) => {
    const back = rolledBack.find((one) => one.key === change.key)
    return back === undefined ? [] : [fieldsOf(change, (name) => name in back)]
  })
  const [{key, title} = {key: ''}] = changes
  return title === undefined ? {type: 'conversations.mark', changes} : {type: 'conversation.rename', key, title}
}

type Crossed = Pick<ConversationChangesContext, 'crossed'>

/** Some of what was changed has another value there. */
const differs = (change: ConversationChange, other: Partial<ConversationRecord> | undefined) =>
  other !== undefined &&
  Object.keys(fieldsOf(change, (name) => name in other && !isSame(other[name], change[name]))).length > 1

/**
 * Keys of conversations whose list shows another value than the server took from this tab: another tab changed them at
 * the same time, or an older copy replaced them. Only the server knows which change was the last.
 */
export function crossedAfter(
  {changing, crossed, items}: Changing & Crossed & Items,
  {sent, failure}: ChangingSettled,
): string[] {
  const byName = itemsNamed(
    {items},
    sent.map(({change}) => change),
  )
  const isCrossed = ({key, change}: PendingChange) => {
    if (failure !== undefined) return crossed.includes(key)
    const [next, item] = [changing[key], byName.get(change.key)]
    return next ? differs(change, next.previous) || differs(next.change, item) : differs(change, item)
  }
  const others = without(crossed, ...sent.map(({key}) => key))
  return [...others, ...sent.filter(isCrossed).map(({key}) => key)]
}

/**
 * The fields of changes on their way, each with the change that waits for it, as far as the list shows them: what
 * another tab has changed meanwhile stays.
 */
export function shownChanges(
  {changing, items}: Changing & Items,
  sentChanges: readonly PendingChange[],
): ConversationChange[] {
  const wishes = sentChanges.map((one) => joinedChange(one, changing[one.key] ?? one).change)
  const byName = itemsNamed({items}, wishes)
  return wishes.flatMap((change) => {
    const item = byName.get(change.key)
    const shownFields = fieldsOf(change, (name) => isSame(item?.[name], change[name]))
    return Object.keys(shownFields).length > 1 ? [shownFields] : []
  })
}

/** The server's values of these changes, without those of a field that is on its way to it again. */
export function foundChanges(
  {changing, crossed}: Changing & Crossed,
  {record}: ConversationLoaded,
): ConversationChange[] {
  const {id: key} = record
  if (key === undefined) return []
  const {title, pinned = false, archived = false, labels = []} = record
  const isFound = (name: Field) => {
    const changed = changedKey(name, key)
    return crossed.includes(changed) && !(changed in changing)
  }
  const change = fieldsOf({key, ...(title !== undefined && {title}), pinned, archived, labels}, isFound)
  return Object.keys(change).length > 1 ? [change] : []
}

/** The changes that waited for these to settle. Changes that did not arrive go out again with them. */
export const nextChanges = ({changing}: Changing, {sent, failure}: ChangingSettled): PendingChange[] =>
  sent.flatMap((one) => {
    const next = changing[one.key]
    if (!next) return []
    if (failure === undefined) return [next]
    return [isRefusal(failure) ? {...next, previous: previousOf(one, next)} : joinedChange(one, next)]
  })
