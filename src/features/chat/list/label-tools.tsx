import {useLayoutEffect, useRef, type FormEvent, type KeyboardEvent} from 'react'
import type {EventFromLogic, SnapshotFrom} from 'xstate'
import {longestLabel} from '#contract/chat.ts'
import {isolated} from '#domain/isolated-text.ts'
import type {labelEditingMachine} from '#machines/label-editing/label-editing.machine.ts'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {DeleteIcon, EditIcon} from '#ui/later-icons.tsx'
import {isComposing} from '#ui/is-composing.ts'
import {useCloseRequest} from '#ui/overlays/use-close-request.ts'
import {takeFocus} from '#ui/take-focus.ts'
import {TextField} from '#ui/text-field.tsx'
import {useText} from '#ui/text.tsx'
import {useUndoKey} from '../use-undo-key.ts'
import styles from './labels.module.css'

type LabelToolsProps = {
  /** The label that was just renamed, or was not after all, or was taken back. */
  hasFocus: boolean
  /** Each new one brings the focus back to the label that has it. */
  restored: object | undefined
  disabled: boolean
  onRename: () => void
  onDelete: () => void
}

/** Beside a label: what changes it over all conversations. */
export function LabelTools({hasFocus, restored, disabled, onRename, onDelete}: LabelToolsProps) {
  const text = useText()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (hasFocus) button.current?.focus()
  }, [hasFocus, restored])
  return (
    <>
      <IconButton
        ref={button}
        size="sm"
        label={text('chat.rename')}
        icon={<EditIcon size={14} />}
        disabled={disabled}
        onClick={onRename}
      />
      <IconButton
        size="sm"
        label={text('chat.remove')}
        icon={<DeleteIcon size={14} />}
        disabled={disabled}
        onClick={onDelete}
      />
    </>
  )
}

type LabelFormProps = {
  editing: SnapshotFrom<typeof labelEditingMachine>
  send: (event: EventFromLogic<typeof labelEditingMachine>) => void
  /** Another tab deleted the label, or gave it another name. */
  isGone: boolean
  onSubmit: () => void
}

/** Instead of a label while it gets another name. */
export function LabelForm({editing, send, isGone, onSubmit}: LabelFormProps) {
  const text = useText()
  const {label, name} = editing.context
  const isTaken = editing.matches({names: {renaming: 'taken'}})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event)) return
    // the dialog stays, also where the browser itself closes what lies over the page
    event.stopPropagation()
    event.preventDefault()
    send({type: 'rename.cancel'})
  }
  useCloseRequest(true, () => send({type: 'rename.cancel'}))
  return (
    <li className={styles.choice}>
      <form className={styles.rename} onSubmit={submit} onKeyDown={press}>
        <TextField
          ref={takeFocus}
          label={text('chat.rename')}
          value={name}
          maxLength={longestLabel}
          error={isGone ? text('chat.labelGone', {label: isolated(label)}) : undefined}
          help={isTaken ? text('chat.labelTaken', {label: isolated(name.trim())}) : undefined}
          onChange={(event) => send({type: 'name.change', name: event.currentTarget.value})}
        />
        <span className={styles.tools}>
          <Button variant="ghost" size="sm" onClick={() => send({type: 'rename.cancel'})}>
            {text('common.cancel')}
          </Button>
          <Button type="submit" size="sm" disabled={isGone || editing.matches({names: {renaming: 'unchanged'}})}>
            {text(isTaken ? 'chat.labelMerge' : 'chat.labelSave')}
          </Button>
        </span>
      </form>
    </li>
  )
}

type UndoNoteProps = {
  deleted: object
  /** The label was deleted just now; else a later deletion was undone. */
  isNew: boolean
  disabled: boolean
  onUndo: () => void
}

/** Says that a label is deleted, and takes it back, then the one before. Each gets the focus here: rows are gone. */
export function UndoNote({deleted, isNew, disabled, onUndo}: UndoNoteProps) {
  const text = useText()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isNew) button.current?.focus()
  }, [deleted, isNew])
  useUndoKey(!disabled, onUndo)
  return (
    <p className={styles.undo} role="status">
      <span className={styles.note}>{text('chat.labelDeleted')}</span>
      <Button ref={button} size="sm" variant="ghost" disabled={disabled} onClick={onUndo}>
        {text('common.undo')}
      </Button>
    </p>
  )
}
