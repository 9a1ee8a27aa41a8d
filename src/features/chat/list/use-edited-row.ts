import {useMemo, useState} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {filteredBy, type ListFilter} from './labels.ts'

const isPinned = (record: ConversationRecord | undefined) => record?.pinned === true

/** A conversation keeps its position while its title is edited, whatever is marked elsewhere: its editor stays. */
export function useEditedRow(records: readonly ConversationRecord[], filter: ListFilter) {
  const [editedRecord, setEditedRecord] = useState<ConversationRecord>()
  const shownRecords = useMemo(() => {
    if (editedRecord === undefined) return records
    const {pinned = false, archived = false, labels = []} = editedRecord
    return records.map((record) => (record.key === editedRecord.key ? {...record, pinned, archived, labels} : record))
  }, [records, editedRecord])
  return {
    records: shownRecords,
    /** With undefined it goes where it belongs. */
    hold: setEditedRecord,
    /** Whether it will stand elsewhere, or nowhere, when it is not held any more. */
    leaves: (key: string) => {
      const record = filteredBy(filter, records).find((each) => each.key === key)
      return record === undefined || isPinned(record) !== isPinned(shownRecords.find((each) => each.key === key))
    },
  }
}
