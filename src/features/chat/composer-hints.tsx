import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {useText} from '#ui/text.tsx'
import styles from './composer-extras.module.css'
import {useThreadWords} from './use-thread-words.ts'

/** In the composer's foot: the keys that do what the button does, or what can be done with dragged files. */
export function ComposerHint({of}: {of: 'send' | 'stop' | 'drop'}) {
  useThreadWords()
  const text = useText()
  if (of === 'drop') return text('chat.dropHere')
  return (
    <span className={styles.hint} aria-hidden="true">
      <Kbd keys={of === 'stop' ? 'Esc' : shownKeys('Ctrl ↵')} />
      {text(of === 'stop' ? 'chat.toStop' : 'chat.toSend')}
    </span>
  )
}
