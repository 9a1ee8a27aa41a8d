import {useState, type ReactNode} from 'react'
import styles from './message.module.css'

type MessageActionsProps = {
  /** Visible without a pointer or the focus. */
  isShown?: boolean
  children: ReactNode
}

/**
 * The buttons below a message. They stay while the focus is in a menu of theirs, which is elsewhere in the document: React's
 * events reach us from there, where `:has()` would be looked up again with each word that is written.
 */
export function MessageActions({isShown = false, children}: MessageActionsProps) {
  const [isHeld, setIsHeld] = useState(false)
  return (
    <div
      className={styles.actions}
      data-shown={isShown || isHeld || undefined}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      {children}
    </div>
  )
}
