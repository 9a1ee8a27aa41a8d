import type {ReactNode} from 'react'
import {useText} from '#ui/text.tsx'
import styles from './chat-screen.module.css'
import {Suggestions} from './greeting.tsx'

/** Below the thread, or in the middle of an empty chat: the message field, and what belongs to it. */
export function Dock({children, onSuggest}: {children: ReactNode; onSuggest: ((text: string) => void) | undefined}) {
  const text = useText()
  return (
    <div className={styles.dock}>
      <div className={styles.column}>
        {children}
        {onSuggest !== undefined && <Suggestions onSuggest={onSuggest} />}
        <p className={styles.disclaimer}>{text('chat.disclaimer')}</p>
      </div>
    </div>
  )
}
