import {useMemo, useState, type FocusEvent, type PointerEvent} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'

type Times = ReadonlyMap<string, number>

/** New conversations stand below the others, but for the one on screen. */
function withNew(held: Times, records: readonly ConversationRecord[], activeKey: string | undefined): Times {
  const end = Math.min(...held.values()) - 1
  const added = records.filter(({key}) => !held.has(key))
  return new Map([
    ...held,
    ...added.map(({key, updatedAt}) => [key, key === activeKey ? updatedAt : Math.min(updatedAt, end)] as const),
  ])
}

/**
 * Conversations keep their place while the pointer or the focus is in their list: one that is answered or begun elsewhere moves
 * up afterwards. A row that moves would be missed by a press, and its title that is being edited would lose the focus.
 */
export function useHeldOrder(records: readonly ConversationRecord[], activeKey: string | undefined) {
  const [held, setHeld] = useState<Times>()
  if (held !== undefined && records.some(({key}) => !held.has(key))) setHeld(withNew(held, records, activeKey))
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
