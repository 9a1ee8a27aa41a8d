import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {useText} from '#ui/text.tsx'
import styles from './composer-extras.module.css'
import {useThreadFailure} from './use-thread-failure.ts'

/** In the composer's foot: the keys that do what the button does, or what can be done with dragged files. */
export function ComposerHint({of}: {of: 'send' | 'stop' | 'drop'}) {
  const {failure} = useThreadFailure()
  const text = useText()
  if (failure !== undefined) return null
  if (of === 'drop') return text('chat.dropHere')
  return (
    <span className={styles.hint} aria-hidden="true">
      <Kbd keys={of === 'stop' ? 'Esc' : shownKeys('Ctrl ↵')} />
      {text(of === 'stop' ? 'chat.toStop' : 'chat.toSend')}
    </span>
  )
}
