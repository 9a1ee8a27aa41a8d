import type {ReactNode} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {PinIcon} from '#ui/list-icons.tsx'
import {useText} from '#ui/text.tsx'
import {LabelMark} from './list-menu.tsx'
import styles from './rows.module.css'

/** Names of models are the same in each language. */
export const ModelNote = ({note}: {note: string | undefined}) =>
  note !== undefined && (
    <span className={styles.model} dir="ltr">
      {note}
    </span>
  )

/** Most labels that a row has room for. */
const mostLabels = 3

/** The marks that the user gave a conversation. */
export function Marks({record: {pinned = false, labels = []}}: {record: ConversationRecord}): ReactNode {
  const text = useText()
  if (!pinned && labels.length === 0) return null
  return (
    <span className={styles.marks}>
      {labels.length > 0 && (
        <span role="img" aria-label={labels.join(', ')} title={labels.join(', ')} className={styles.labels}>
          {labels.slice(0, mostLabels).map((label) => (
            <LabelMark key={label} label={label} />
          ))}
        </span>
      )}
      {pinned && (
        <span role="img" aria-label={text('chat.pinned')} className={styles.pin}>
          <PinIcon size={14} />
        </span>
      )}
    </span>
  )
}
