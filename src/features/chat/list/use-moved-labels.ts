import type {EventFromLogic, SnapshotFrom} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {labelEditingMachine} from '#machines/label-editing/label-editing.machine.ts'
import {useChat} from '../chat.context.tsx'
import {labelChanges} from './labels.ts'
import type {ListActions} from './use-list-actions.ts'

type MovedLabels = {
  editing: SnapshotFrom<typeof labelEditingMachine>
  send: (event: EventFromLogic<typeof labelEditingMachine>) => void
  all: readonly ConversationRecord[]
  labels: readonly string[]
  onChange: ListActions['onMark']
  onMove: (label: string, to: string | undefined) => void
}

/** Labels with another name, or deleted ones: on all conversations, and in the stored colours. */
export function useMovedLabels({editing, send, all, labels, onChange, onMove}: MovedLabels) {
  const store = useChat().labelColours
  const carrying = (label: string) => all.filter((record) => record.labels?.includes(label) === true)
  const move = (label: string, to: string | undefined) => {
    // the new name has the colour before a list asks for it
    store.move(label, to, labels)
    onChange(
      labelChanges(carrying(label), {on: to === undefined ? [] : [to], off: [label]}),
      to === undefined ? 'chat.labelDeleted' : 'chat.labelDone',
    )
    onMove(label, to)
  }
  return {
    rename() {
      if (!editing.can({type: 'rename.confirm'})) return
      send({type: 'rename.confirm'})
      move(editing.context.label, editing.context.name.trim().normalize('NFC'))
    },
    remove(label: string) {
      send({type: 'label.delete', label, keys: carrying(label).map(({key}) => key)})
      move(label, undefined)
    },
    undo() {
      const {deleted} = editing.context
      send({type: 'delete.undo'})
      if (deleted === undefined) return
      const records = all.filter(({key}) => deleted.keys.includes(key))
      onChange(labelChanges(records, {on: [deleted.label], off: []}))
    },
  }
}
