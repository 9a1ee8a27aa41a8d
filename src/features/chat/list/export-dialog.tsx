import {useSelector} from '@xstate/react'
import {useEffect, useId, useState} from 'react'
import type {SnapshotFrom} from 'xstate'
import type {ConversationExportActor} from '#machines/conversation-export/conversation-export.machine.ts'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {Dialog} from '#ui/dialog.tsx'
import {Problem} from '#ui/problem.tsx'
import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import imports from '../import/import.module.css'
import styles from './labels.module.css'

type ExportDialogProps = {actor: ConversationExportActor; count: number; onClose: () => void}

const forms = ['markdown', 'json'] as const

/** The file is to have all conversations that this device has, and the server could not be asked for the others. */
function useIsIncomplete(count: number): boolean {
  const {actors} = useChat()
  const [isIncomplete] = useState(() => {
    const list = actors?.conversations.getSnapshot()
    return list?.matches('error') === true && selectItems(list).length === count
  })
  return isIncomplete
}

type ExportContext = SnapshotFrom<ConversationExportActor>['context']

/** How far a copy of the server's conversations is, then how far their attachments are; Markdown alone is there at once. */
function readSoFar({form, conversations, conversationsRead, packed, missing, total}: ExportContext) {
  if (total !== undefined) return {text: 'chat.exportProgressOf', count: packed + missing.length, total} as const
  if (form !== 'json') return undefined
  const {read, total: all} = conversationsRead ?? {read: 0, total: conversations.length}
  return {text: 'chat.exportReading', count: read, total: all} as const
}

/** The attachments that the saved file lacks. */
function Missing({names}: {names: readonly string[]}) {
  const text = useText()
  const id = useId()
  return (
    <div className={styles.lacking}>
      <Problem>
        <span id={id}>{text('chat.exportMissing', {count: names.length})}</span>
      </Problem>
      {/* scrolled by keys as well */}
      <ul className={styles.missing} tabIndex={0} aria-labelledby={id}>
        {names.map((name, index) => (
          // two may have one name, and none of them moves
          <li key={index}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Saves conversations as a file: its form, what comes along, and how far it is. */
export function ExportDialog({actor, count, onClose}: ExportDialogProps) {
  const text = useText()
  const id = useId()
  const isIncomplete = useIsIncomplete(count)
  const snapshot = useSelector(actor, (current) => current)
  const {form, isWithAttachments, missing} = snapshot.context
  useEffect(
    () => () => {
      if (actor.getSnapshot().status === 'active') actor.send({type: 'dialog.closed'})
    },
    [actor],
  )
  const isPacking = snapshot.matches('packing')
  const readCount = isPacking ? readSoFar(snapshot.context) : undefined
  const progress = readCount && text(readCount.text, {count: readCount.count, total: readCount.total})
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('chat.exportTitle', {count})}
      actions={
        <>
          <Button variant="ghost" onClick={() => (isPacking ? actor.send({type: 'export.cancel'}) : onClose())}>
            {text(snapshot.matches('saved') ? 'common.close' : 'common.cancel')}
          </Button>
          <Button variant="primary" loading={isPacking} onClick={() => actor.send({type: 'export.start'})}>
            {text('chat.exportGo')}
          </Button>
        </>
      }
    >
      {isIncomplete && <Problem tone="warning">{text('chat.exportIncomplete')}</Problem>}
      <fieldset className={styles.choices} disabled={isPacking}>
        <legend className="visually-hidden">{text('chat.exportForm')}</legend>
        {forms.map((each) => (
          <label key={each} className={styles.choice}>
            <input
              type="radio"
              name={id}
              checked={form === each}
              onChange={() => actor.send({type: 'form.choose', form: each})}
            />
            <span>{text(each === 'markdown' ? 'chat.exportMarkdown' : 'chat.exportJson')}</span>
          </label>
        ))}
        <label className={styles.choice}>
          <input
            type="checkbox"
            checked={isWithAttachments}
            onChange={(event) => actor.send({type: 'attachments.choose', isWith: event.currentTarget.checked})}
          />
          <span>{text('chat.exportAttachments')}</span>
        </label>
      </fieldset>
      <p role="status" className={styles.note}>
        {progress}
        {snapshot.matches('saved') && text('chat.exportDone')}
      </p>
      {readCount !== undefined && (
        <div className={classNames(imports.progress, styles.bar)}>
          <progress aria-label={progress} max={Math.max(readCount.total, 1)} value={readCount.count} />
        </div>
      )}
      {missing.length > 0 && snapshot.matches('saved') && <Missing names={missing} />}
      {snapshot.matches('failed') && <Problem>{text('chat.exportFailed')}</Problem>}
    </Dialog>
  )
}
