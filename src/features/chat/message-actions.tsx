import {useState, type ReactNode} from 'react'
import {formatDateTime} from '#domain/date-time.ts'
import {latinDigits} from '#domain/number-format.ts'
import {useLanguage} from '#ui/language.tsx'
import {useToday} from './use-today.ts'
import styles from './message.module.css'

type MessageActionsProps = {
  /** Visible without a pointer or the focus. */
  isShown?: boolean
  children: ReactNode
}

/**
 * The buttons below a message. They stay while the focus is in a menu of theirs, which is elsewhere in the document:
 * React's events reach us from there, where `:has()` would be looked up again with each word that is written.
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

/** When a message was asked (unix seconds); nothing where its server does not say. The day where it is not today. */
export function MessageTime({at}: {at: number | undefined}) {
  const {locale} = useLanguage()
  const today = useToday()
  if (at === undefined) return null
  const date = new Date(at * 1_000)
  const isToday = date.toDateString() === new Date(today).toDateString()
  const format = isToday ? ({timeStyle: 'short'} as const) : ({dateStyle: 'medium', timeStyle: 'short'} as const)
  return (
    <time className={styles.time} dateTime={date.toISOString()} title={formatDateTime(date)}>
      {new Intl.DateTimeFormat(latinDigits(locale), format).format(date)}
    </time>
  )
}
