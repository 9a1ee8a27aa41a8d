import {useMemo, useState, type FocusEvent, type PointerEvent} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'

type Times = ReadonlyMap<string, number>

/** New conversations stand below the others, but for the one on screen. */
function withNew(heldTimes: Times, newRecords: readonly ConversationRecord[], activeKey: string | undefined): Times {
  const end = Math.min(...heldTimes.values()) - 1
  return new Map([
    ...heldTimes,
    ...newRecords.map(({key, updatedAt}) => [key, key === activeKey ? updatedAt : Math.min(updatedAt, end)] as const),
  ])
}

const keysOf = (records: readonly ConversationRecord[]) => records.map(({key}) => key)

/**
 * Conversations keep their position while the pointer or the focus is in their list: one that is answered or begun
 * elsewhere moves up afterwards. A row that moves would be missed by a press, and its title that is being edited would
 * lose the focus. One whose deletion is undone returns to its own position.
 */
export function useHeldOrder(records: readonly ConversationRecord[], activeKey: string | undefined) {
  const [heldTimes, setHeldTimes] = useState<Times>()
  const [seenKeys, setSeenKeys] = useState<ReadonlySet<string>>(() => new Set(keysOf(records)))
  const newRecords = records.filter(({key}) => !seenKeys.has(key))
  if (newRecords.length > 0) {
    setSeenKeys(new Set([...seenKeys, ...keysOf(newRecords)]))
    if (heldTimes !== undefined) setHeldTimes(withNew(heldTimes, newRecords, activeKey))
  }
  const hold = () => setHeldTimes((before) => before ?? new Map(records.map(({key, updatedAt}) => [key, updatedAt])))
  const shownRecords = useMemo(
    () =>
      heldTimes === undefined
        ? records
        : records.map((record) => {
            const updatedAt = heldTimes.get(record.key) ?? record.updatedAt
            return updatedAt === record.updatedAt ? record : {...record, updatedAt}
          }),
    [records, heldTimes],
  )
  return {
    records: shownRecords,
    listeners: {
      onPointerEnter: ({pointerType}: PointerEvent) => {
        // a finger rests nowhere
        if (pointerType !== 'touch') hold()
      },
      onPointerLeave: ({currentTarget}: PointerEvent) => {
        if (!currentTarget.contains(document.activeElement)) setHeldTimes(undefined)
      },
      onFocus: hold,
      onBlur: ({currentTarget, relatedTarget}: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget) && !currentTarget.matches(':hover')) setHeldTimes(undefined)
      },
    },
  }
}
