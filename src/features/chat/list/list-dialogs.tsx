import {Suspense} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {movedFilter, type ListFilter} from './labels.ts'
import {DeletedElsewhere} from '../deleted-elsewhere.tsx'
import type {useExport} from './use-export.ts'
import type {ListActions} from './use-list-actions.ts'
import type {Selection} from './use-selection.ts'

const SeveralBar = lazyView(async () => (await import('./several-bar.tsx')).SeveralBar)
const ExportDialog = lazyView(async () => (await import('./export-dialog.tsx')).ExportDialog)
const LabelsDialog = lazyView(async () => (await import('./labels-dialog.tsx')).LabelsDialog)

type ListDialogsProps = LabellingProps & {
  /** The keys from top to bottom. */
  order: readonly string[]
  selection: Selection
  exported: ReturnType<typeof useExport>
  offersMarks: boolean
  /** Keys of the conversations whose labels are chosen; undefined: the dialog of the labels is closed. */
  labelledKeys: readonly string[] | undefined
}

/** The layers over the list: the bar of several chosen conversations, the dialogs of an export and of the labels. */
export function ListDialogs({order, selection, exported, offersMarks, labelledKeys, ...labelling}: ListDialogsProps) {
  const {records, actions} = labelling
  return (
    <>
      {/* a dialog that is loaded hides neither the bar nor the focus in it, which it gives back */}
      <Suspense>
        {selection.keys !== undefined && (
          <SeveralBar
            records={records.filter(({key}) => selection.keys?.has(key) === true)}
            {...{selection, order, offersMarks, actions}}
          />
        )}
      </Suspense>
      <Suspense>
        {exported.current !== undefined && <ExportDialog {...exported.current} onClose={exported.close} />}
        {labelledKeys !== undefined && <Labelling {...labelling} keys={labelledKeys} />}
      </Suspense>
    </>
  )
}

type LabellingProps = {
  all: readonly ConversationRecord[]
  records: readonly ConversationRecord[]
  labels: readonly string[]
  actions: ListActions
  filter: ListFilter
  onFilter: (filter: ListFilter) => void
  onClose: () => void
}

/** The dialog of the labels. A list of one label follows it to its new name. No keys: the labels are edited. */
function Labelling(props: LabellingProps & {keys: readonly string[]}) {
  const {records, all, keys, labels, actions, filter, onFilter, onClose} = props
  return (
    <>
      <DeletedElsewhere conversations={keys} />
      <LabelsDialog
        records={records.filter(({key}) => keys.includes(key))}
        all={all}
        labels={labels}
        onChange={actions.onMark}
        onOfferBack={actions.onOfferBack}
        onMove={(label, to) => onFilter(movedFilter(filter, {label, to, records: all}))}
        onSave={(changes) => {
          actions.onMark(changes, 'chat.labelDone')
          onClose()
        }}
        onClose={onClose}
      />
    </>
  )
}
