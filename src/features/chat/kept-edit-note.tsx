import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './thread.module.css'
import type {Editing} from './use-editing.ts'

/** Says where the words of an editor are whose message is not shown any more. */
export function KeptEdit({kept, onEditing}: Pick<Editing, 'kept' | 'onEditing'>) {
  const text = useText()
  if (kept === undefined) return null
  return (
    <p role="status" className={styles.notice}>
      {text('chat.editKept')} <CopyButton labelled label={text('chat.copyText')} value={() => kept} />
      <Button size="sm" variant="ghost" onClick={() => onEditing(undefined)}>
        {text('common.dismiss')}
      </Button>
    </p>
  )
}
