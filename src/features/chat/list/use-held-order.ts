import {useMemo, useState, type FocusEvent, type PointerEvent} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'

type Times = ReadonlyMap<string, number>

/** New conversations stand below the others, but for the one on screen. */
function withNew(held: Times, added: readonly ConversationRecord[], activeKey: string | undefined): Times {
  const end = Math.min(...held.values()) - 1
  return new Map([
    ...held,
    ...added.map(({key, updatedAt}) => [key, key === activeKey ? updatedAt : Math.min(updatedAt, end)] as const),
  ])
}

const keysOf = (records: readonly ConversationRecord[]) => records.map(({key}) => key)

/**
 * Conversations keep their place while the pointer or the focus is in their list: one that is answered or begun elsewhere moves
 * up afterwards. A row that moves would be missed by a press, and its title that is being edited would lose the focus. One
 * whose deletion is undone returns to its own place.
 */
export function useHeldOrder(records: readonly ConversationRecord[], activeKey: string | undefined) {
  const [held, setHeld] = useState<Times>()
  const [seenKeys, setSeenKeys] = useState<ReadonlySet<string>>(() => new Set(keysOf(records)))
  const added = records.filter(({key}) => !seenKeys.has(key))
  if (added.length > 0) {
    setSeenKeys(new Set([...seenKeys, ...keysOf(added)]))
    if (held !== undefined) setHeld(withNew(held, added, activeKey))
  }
  const hold = () => setHeld((before) => before ?? new Map(records.map(({key, updatedAt}) => [key, updatedAt])))
  const shown = useMemo(
    () =>
      held === undefined
        ? records
        : records.map((record) => {
            const updatedAt = held.get(record.key) ?? record.updatedAt
            return updatedAt === record.updatedAt ? record : {...record, updatedAt}
          }),
    [records, held],
  )
  return {
    records: shown,
    listeners: {
      onPointerEnter: ({pointerType}: PointerEvent) => {
        // a finger rests nowhere
        if (pointerType !== 'touch') hold()
      },
      onPointerLeave: ({currentTarget}: PointerEvent) => {
        if (!currentTarget.contains(document.activeElement)) setHeld(undefined)
      },
      onFocus: hold,
      onBlur: ({currentTarget, relatedTarget}: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget) && !currentTarget.matches(':hover')) setHeld(undefined)
      },
    },
  }
}
