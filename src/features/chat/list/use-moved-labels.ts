import type {ActorRefFrom} from 'xstate'
import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import type {DeletedLabel, labelEditingMachine} from '#machines/label-editing/label-editing.machine.ts'
import {useChat} from '../chat.context.tsx'
import {labelChanges, movedColour} from './labels.ts'
import type {ListActions} from './use-list-actions.ts'

type MovedLabels = {
  editing: ActorRefFrom<typeof labelEditingMachine>
  all: readonly ConversationRecord[]
  labels: readonly string[]
  /** The labels, and those that no conversation has yet. */
  names: readonly string[]
  onChange: ListActions['onMark']
  onOfferBack: ListActions['onOfferBack']
  onMove: (label: string, to: string | undefined) => void
}

/** Labels with another name, or deleted ones: on all conversations, and in the stored colours. */
export function useMovedLabels({editing, all, labels, names, onChange, onOfferBack, onMove}: MovedLabels) {
  const store = useChat().labelColours
  const carrying = (label: string) => all.filter((record) => record.labels?.includes(label) === true)
  const move = (label: string, to: string | undefined) => {
    // the new name has the colour before a list asks for it
    store.write(movedColour(store.read(), {label, to, labels}))
    onChange(
      labelChanges(carrying(label), {on: to === undefined ? [] : [to], off: [label]}),
      // the dialog itself takes back a deletion
      to === undefined ? undefined : 'chat.labelDone',
    )
    onMove(label, to)
  }
  const backOf = (deletedLabels: readonly DeletedLabel[], changes: readonly ConversationChange[] = []) =>
    all.flatMap((record) => {
      const on = deletedLabels.filter(({keys}) => keys.includes(record.key)).map(({label}) => label)
      const newRecord = {...record, ...changes.find(({key}) => key === record.key)}
      return labelChanges([newRecord], {on: on.toReversed(), off: []})
    })
  /** The dialog closes, maybe with other changes: one notice offers to take its deletions back. */
  const handOver = (changes?: readonly ConversationChange[]) => {
    const {deleted} = editing.getSnapshot().context
    if (deleted.length > 0)
      onOfferBack(backOf(deleted, changes), deleted.length === 1 ? 'chat.labelDeleted' : 'chat.labelDeletedSeveral')
  }
  return {
    handOver,
    rename: () => {
      const {label} = editing.getSnapshot().context
      // another tab may have taken it away
      const isThere = labels.includes(label)
      editing.send({type: 'rename.confirm', labels: isThere ? names : names.filter((name) => name !== label)})
      const {label: to} = editing.getSnapshot().context
      // the dialog may have something to tell first
      if (to !== label) move(label, to)
    },
    remove: (label: string) => {
      const {colour} = store.read().find((one) => one.label === label) ?? {}
      editing.send({type: 'label.delete', label, keys: carrying(label).map(({key}) => key), colour})
      move(label, undefined)
    },
    undo: () => {
      const [last] = editing.getSnapshot().context.deleted
      editing.send({type: 'delete.undo'})
      if (last === undefined) return
      const {label, colour} = last
      const others = store.read()
      if (colour !== undefined && !others.some((one) => one.label === label)) store.write([...others, {label, colour}])
      onChange(backOf([last]))
    },
  }
}
