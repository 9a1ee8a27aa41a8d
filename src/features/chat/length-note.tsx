import {useText} from '#ui/text.tsx'
import styles from './prompts.module.css'

/** Says by how much a text is longer than can be saved; nothing while it fits. */
export function LengthNote({id, length, most}: {id: string; length: number; most: number}) {
  const text = useText()
  return length <= most ? null : (
    <p id={id} role="alert" className={styles.fault}>
      {text('chat.promptTooLong', {over: length - most, most})}
    </p>
  )
}
