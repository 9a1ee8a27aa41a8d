import {useSelector} from '@xstate/react'
import {useId} from 'react'
import type {ConversationExportActor} from '#machines/conversation-export/conversation-export.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {Problem} from '#ui/problem.tsx'
import {useText} from '#ui/text.tsx'
import styles from './labels.module.css'

type ExportDialogProps = {actor: ConversationExportActor; count: number; onClose: () => void}

const forms = ['markdown', 'json'] as const

/** Saves conversations as a file: its form, what comes along, and how far it is. */
export function ExportDialog({actor, count, onClose}: ExportDialogProps) {
  const text = useText()
  const id = useId()
  const snapshot = useSelector(actor, (current) => current)
  const {form, isWithAttachments, packed, total, missing} = snapshot.context
  const close = () => {
    actor.stop()
    onClose()
  }
  const isPacking = snapshot.matches('packing')
  const isChoosing = snapshot.matches('choosing')
  return (
    <Dialog
      open
      onClose={close}
      title={text('chat.exportTitle', {count})}
      actions={
        <>
          <Button variant="ghost" onClick={() => (isPacking ? actor.send({type: 'export.cancel'}) : close())}>
            {text(snapshot.matches('saved') ? 'common.close' : 'common.cancel')}
          </Button>
          <Button variant="primary" loading={isPacking} onClick={() => actor.send({type: 'export.start'})}>
            {text('chat.exportGo')}
          </Button>
        </>
      }
    >
      <fieldset className={styles.choices} disabled={!isChoosing}>
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
        {isPacking &&
          (total === undefined
            ? text('chat.exportProgress', {count: packed})
            : text('chat.exportProgressOf', {count: packed + missing.length, total}))}
        {snapshot.matches('saved') && text('chat.exportDone')}
      </p>
      {missing.length > 0 && snapshot.matches('saved') && (
        <Problem>{text('chat.exportMissing', {count: missing.length, names: missing.join(', ')})}</Problem>
      )}
      {snapshot.matches('failed') && <Problem>{text('chat.exportFailed')}</Problem>}
    </Dialog>
  )
}
