import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {useText} from '#ui/text.tsx'
import styles from './composer-extras.module.css'
import {useThreadWords} from './use-thread-words.ts'

/** Beside Send, where Enter alone breaks the line. */
export function SendHint() {
  useThreadWords()
  const text = useText()
  return (
    <span className={styles.hint} aria-hidden="true">
      <Kbd keys={shownKeys('Ctrl ↵')} />
      {text('chat.toSend')}
    </span>
  )
}
