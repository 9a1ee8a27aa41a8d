import {useMemo, useState, type FocusEvent, type PointerEvent} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'

type Times = ReadonlyMap<string, number>

/**
 * Conversations keep their place while the pointer or the focus is in their list: one that is answered elsewhere moves up afterwards.
 * A row that moves would be missed by a press, and its title that is being edited would lose the focus.
 */
export function useHeldOrder(records: readonly ConversationRecord[]) {
  const [held, setHeld] = useState<Times>()
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
