import {useActor} from '@xstate/react'
import {useId, useMemo, useState, type FormEvent} from 'react'
import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import {longestLabel, mostLabels} from '#contract/chat.ts'
import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import {labelEditingMachine} from '#machines/label-editing/label-editing.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {TextField} from '#ui/text-field.tsx'
import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import {LabelForm, LabelTools, UndoNote} from './label-tools.tsx'
import {labelChanges, labelColours, shareOf} from './labels.ts'
import type {ListActions} from './use-list-actions.ts'
import {useMovedLabels} from './use-moved-labels.ts'
import styles from './labels.module.css'

type LabelsDialogProps = {
  /** The conversations that are labelled; none: only the names of labels change. */
  records: readonly ConversationRecord[]
  /** All conversations, whose labels get another name or go. */
  all: readonly ConversationRecord[]
  /** All labels there are. */
  labels: readonly string[]
  onChange: ListActions['onMark']
  onOfferBack: ListActions['onOfferBack']
  /** A label has another name now, or none. */
  onMove: (label: string, to: string | undefined) => void
  onSave: (changes: ConversationChange[]) => void
  onClose: () => void
}

const withChoice = (choices: ReadonlyMap<string, boolean>, label: string, isOn: boolean) =>
  new Map([...choices, [label, isOn]])

/** Which labels the conversations gain and lose, unsaved. `renamedLabel`: the label whose name is being changed. */
function useLabelChoice(
  records: readonly ConversationRecord[],
  labels: readonly string[],
  renamedLabel: string | undefined,
) {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [newLabels, setNewLabels] = useState<readonly string[]>([])
  const [newName, setNewName] = useState('')
  // first in a list of many, and there as long as the dialog is open
  const [firstLabels] = useState(() => labels.filter((label) => shareOf(records, label) !== 'none'))
  // the label that is renamed stays while another tab takes it away: its form says so and keeps what was typed
  const names = useMemo(() => {
    const others = renamedLabel === undefined ? newLabels : [...newLabels, renamedLabel]
    const first = firstLabels.filter((label) => labels.includes(label))
    return [...new Set([...first, ...labels, ...others])]
  }, [firstLabels, labels, newLabels, renamedLabel])
  const name = newName.trim().normalize('NFC')
  const pending = name === '' ? choices : withChoice(choices, name, true)
  const chosen = (isWanted: boolean) => [...pending].flatMap(([label, isOn]) => (isOn === isWanted ? [label] : []))
  const changes = labelChanges(records, {on: chosen(true), off: chosen(false)})
  const shareNow = (label: string) => {
    const isOn = choices.get(label)
    return isOn === undefined ? shareOf(records, label) : isOn ? 'all' : 'none'
  }
  const set = (label: string, isOn: boolean) => setChoices(withChoice(choices, label, isOn))
  const move = (label: string, to: string | undefined) => {
    // of two that become one, neither goes because the other was taken off
    const isMerged = to !== undefined && names.includes(to)
    setChoices((latestChoices) => {
      const isOn = latestChoices.get(label)
      const others = new Map([...latestChoices].filter(([other]) => other !== label))
      return to === undefined || isOn === undefined || (isMerged && !isOn) ? others : withChoice(others, to, isOn)
    })
  }
  const add = () => {
    if (!labels.includes(name)) setNewLabels([...new Set([...newLabels, name])])
    set(name, true)
    setNewName('')
  }
  return {names, changes, shareNow, set, move, newName, isNamed: name !== '', type: setNewName, add}
}

/**
 * The labels of one or several conversations: boxes, of which some are half on, and a field for a new one. Each label
 * can be renamed and deleted, over all conversations.
 */
export function LabelsDialog({records, all, labels, onChange, onOfferBack, onMove, ...props}: LabelsDialogProps) {
  const text = useText()
  const [editing, send, actor] = useActor(labelEditingMachine)
  const renamedLabel = editing.matches({names: 'renaming'}) ? editing.context.label : undefined
  const [lastDeleted] = editing.context.deleted
  const choice = useLabelChoice(records, labels, renamedLabel)
  const {names, changes} = choice
  const isTooMany = changes.some((change) => (change.labels?.length ?? 0) > mostLabels)
  const movedLabels = useMovedLabels({
    editing: actor,
    all,
    labels,
    names,
    onChange,
    onOfferBack,
    onMove(label, to) {
      choice.move(label, to)
      onMove(label, to)
    },
  })
  const onClose = () => {
    movedLabels.handOver()
    props.onClose()
  }
  const onSave = () => {
    movedLabels.handOver(changes)
    props.onSave(changes)
  }
  const hasRecords = records.length > 0
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('chat.labelTitle')}
      cancel={hasRecords ? 'offered' : undefined}
      actions={
        hasRecords ? (
          <Button variant="primary" disabled={isTooMany} onClick={onSave}>
            {text('chat.labelSave')}
          </Button>
        ) : (
          <Button onClick={onClose}>{text('common.close')}</Button>
        )
      }
    >
      <LabelChoices {...{labels, choice, editing, send, renamedLabel, hasRecords, movedLabels}} />
      {lastDeleted !== undefined && (
        <UndoNote
          deleted={lastDeleted}
          isNew={editing.context.restored === undefined}
          disabled={renamedLabel !== undefined}
          onUndo={movedLabels.undo}
        />
      )}
      {hasRecords && (
        <NewLabel
          typed={choice.newName}
          isTooMany={isTooMany}
          isNamed={choice.isNamed}
          onType={choice.type}
          onAdd={choice.add}
        />
      )}
    </Dialog>
  )
}

type LabelChoicesProps = {
  labels: readonly string[]
  choice: ReturnType<typeof useLabelChoice>
  editing: SnapshotFrom<typeof labelEditingMachine>
  send: ActorRefFrom<typeof labelEditingMachine>['send']
  renamedLabel: string | undefined
  hasRecords: boolean
  movedLabels: ReturnType<typeof useMovedLabels>
}

/** One row a label; the one that is being renamed is a form. */
function LabelChoices({labels, choice, editing, send, renamedLabel, hasRecords, movedLabels}: LabelChoicesProps) {
  const {names} = choice
  const store = useChat().labelColours
  const colours = useMemo(() => labelColours(names, store.read()), [names, store])
  return (
    <ul className={styles.choices}>
      {names.map((label) =>
        label === renamedLabel ? (
          <LabelForm
            key={label}
            editing={editing}
            send={send}
            isGone={!labels.includes(label)}
            onSubmit={movedLabels.rename}
          />
        ) : (
          <LabelRow
            key={label}
            {...{label, choice, editing, hasRecords}}
            colour={colours.get(label)}
            isStored={labels.includes(label)}
            onRename={() => send({type: 'rename.begin', label, labels: names})}
            onDelete={() => movedLabels.remove(label)}
          />
        ),
      )}
    </ul>
  )
}

type LabelRowProps = {
  label: string
  colour: string | undefined
  choice: ReturnType<typeof useLabelChoice>
  editing: SnapshotFrom<typeof labelEditingMachine>
  hasRecords: boolean
  /** Conversations have it; else it is new here. */
  isStored: boolean
  onRename: () => void
  onDelete: () => void
}

/** A label that is chosen or not, and what changes it. */
function LabelRow({label, colour, choice: {shareNow, set}, editing, hasRecords, isStored, ...tools}: LabelRowProps) {
  return (
    <li className={styles.choice} aria-label={label}>
      <LabelBox
        label={label}
        colour={colour}
        share={shareNow(label)}
        onChange={hasRecords ? (isOn) => set(label, isOn) : undefined}
      />
      {isStored && (
        <LabelTools
          hasFocus={editing.context.label === label}
          restored={editing.context.restored}
          disabled={editing.matches({names: 'renaming'})}
          {...tools}
        />
      )}
    </li>
  )
}

type NewLabelProps = {
  typed: string
  isNamed: boolean
  isTooMany: boolean
  onType: (typed: string) => void
  onAdd: () => void
}

function NewLabel({typed, isNamed, isTooMany, onType, onAdd}: NewLabelProps) {
  const text = useText()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNamed) onAdd()
  }
  return (
    <form className={styles.add} onSubmit={submit}>
      <TextField
        // after the boxes: the first one there is has the focus
        data-first-focus
        label={text('chat.labelNew')}
        value={typed}
        maxLength={longestLabel}
        error={isTooMany ? text('chat.labelMost', {count: mostLabels}) : undefined}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <Button type="submit" disabled={!isNamed}>
        {text('chat.labelAdd')}
      </Button>
    </form>
  )
}

type LabelBoxProps = {
  label: string
  colour: string | undefined
  share: 'all' | 'some' | 'none'
  onChange: ((isOn: boolean) => void) | undefined
}

function LabelBox({label, colour, share, onChange}: LabelBoxProps) {
  const id = useId()
  const mark = <span className={styles.mark} style={{background: colour}} aria-hidden="true" />
  if (onChange === undefined)
    return (
      <>
        {mark}
        <bdi className={styles.name}>{label}</bdi>
      </>
    )
  return (
    <>
      <input
        id={id}
        type="checkbox"
        data-first-focus
        checked={share === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = share === 'some'
        }}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {mark}
      <label htmlFor={id}>
        <bdi>{label}</bdi>
      </label>
    </>
  )
}
