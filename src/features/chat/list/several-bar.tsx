import {useEffect, useRef, type RefObject} from 'react'
import {isOfComposition} from '#browser/typed-ahead.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {DeleteIcon} from '#ui/later-icons.tsx'
import {ArchiveBackIcon, ArchiveIcon, ExportIcon, LabelIcon} from '#ui/list-icons.tsx'
import {useCloseRequest} from '#ui/overlays/use-close-request.ts'
import {useText} from '#ui/text.tsx'
import {useRootDistance} from '#ui/use-root-distance.ts'
import {useRootMark} from '#ui/use-root-mark.ts'
import type {ListActions} from './use-list-actions.ts'
import type {Selection} from './use-selection.ts'
import styles from './several-bar.module.css'

type SeveralBarProps = {
  /** The chosen conversations. */
  records: readonly ConversationRecord[]
  selection: Selection
  /** Keys of all rows, as they are listed. */
  order: readonly string[]
  offersMarks: boolean
  actions: ListActions
}

/** The message field, unless its list of saved prompts is open, which Escape closes first. */
const messageField = '[data-composer] textarea:not([aria-controls])'

/**
 * Escape ends the choice, wherever the focus is. In the message field too the first Escape does so, before one that
 * stops the answer or leaves the field: ending a choice loses nothing.
 */
function useEscape(bar: RefObject<HTMLElement | null>, end: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isOfComposition(event)) end()
    }
    // nothing in the list has the focus: the press is caught before the drawer around the list, or the field, hears it
    const onOuterKey = (event: KeyboardEvent) => {
      const {target} = event
      if (event.key !== 'Escape' || isOfComposition(event) || !(target instanceof Element)) return
      if (!target.contains(bar.current) && !target.matches(messageField)) return
      event.preventDefault()
      event.stopPropagation()
      end()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('keydown', onOuterKey, {capture: true})
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('keydown', onOuterKey, {capture: true})
    }
  }, [bar, end])
}

/** The commands for the chosen conversations; below the list while there is a choice. */
export function SeveralBar({records, selection, order, offersMarks, actions}: SeveralBarProps) {
  const text = useText()
  const {end} = selection
  const bar = useRef<HTMLDivElement>(null)
  useEscape(bar, end)
  useCloseRequest(true, () => selection.leave())
  useRootMark('choosing')
  useRootDistance('--choosing-end', bar)
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={text('chat.severalBar')}
      className={styles.bar}
      onKeyDown={selection.onKeyDown}
    >
      <div className={styles.line}>
        <IconButton size="sm" label={text('chat.severalEnd')} icon={<CloseIcon />} onClick={() => selection.leave()} />
        <span role="status" className={styles.count}>
          {text('chat.severalCount', {count: records.length})}
        </span>
        <Button size="sm" variant="ghost" onClick={() => selection.set(order)}>
          {text('chat.severalAll')}
        </Button>
      </div>
      <Actions {...{records, selection, offersMarks, actions}} />
    </div>
  )
}

const focus = (button: HTMLElement | null) => button?.focus()

function Actions({records, selection, offersMarks, actions}: Omit<SeveralBarProps, 'order'>) {
  const text = useText()
  const keys = records.map(({key}) => key)
  const none = keys.length === 0
  if (selection.isAsking)
    return <RemoveQuestion count={keys.length} onRemove={() => actions.onRemove(keys)} onKeep={selection.keep} />
  const isArchived = !none && records.every(({archived}) => archived === true)
  return (
    <div className={styles.actions}>
      {offersMarks && (
        <>
          <IconButton
            size="sm"
            label={text(isArchived ? 'chat.archiveBack' : 'chat.archiveOne')}
            icon={isArchived ? <ArchiveBackIcon /> : <ArchiveIcon />}
            disabled={none}
            onClick={() => actions.onArchive(keys, !isArchived)}
          />
          <IconButton
            size="sm"
            label={text('chat.labelEdit')}
            icon={<LabelIcon />}
            disabled={none}
            onClick={() => actions.onLabel(keys)}
          />
        </>
      )}
      <IconButton
        size="sm"
        label={text('chat.exportOne')}
        icon={<ExportIcon />}
        disabled={none}
        onClick={() => actions.onExport(keys)}
      />
      <IconButton
        size="sm"
        label={text('chat.remove')}
        icon={<DeleteIcon />}
        disabled={none}
        {...(selection.isKept && {ref: focus})}
        onClick={selection.ask}
      />
    </div>
  )
}

type RemoveQuestionProps = {count: number; onRemove: () => void; onKeep: () => void}

/** Asks instead of the actions whether to delete the chosen conversations. */
function RemoveQuestion({count, onRemove, onKeep}: RemoveQuestionProps) {
  const text = useText()
  useCloseRequest(true, onKeep)
  return (
    <div
      className={styles.line}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        // on touch the same press would end the choice
        event.preventDefault()
        onKeep()
      }}
    >
      <span className={styles.count} role="alert">
        {text('chat.severalRemoveQuestion', {count})}
      </span>
      <Button size="sm" variant="danger" autoFocus disabled={count === 0} onClick={onRemove}>
        {text('chat.remove')}
      </Button>
      <Button size="sm" variant="ghost" onClick={onKeep}>
        {text('common.cancel')}
      </Button>
    </div>
  )
}
