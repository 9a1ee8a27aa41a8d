import type {ReactNode} from 'react'
import {classNames} from '../class-names.ts'
import {CountText} from '../count-text.tsx'
import styles from './chip.module.css'

type ChipProps = {
  pressed: boolean
  onPress: () => void
  children: ReactNode
  count?: number | undefined
  outlined?: boolean
  /** Set by a group with a roving tab stop. */
  tabIndex?: number
}

/** A small toggle button: a filter, or one word of several. */
export function Chip({pressed, onPress, children, count, outlined = false, tabIndex}: ChipProps) {
  return (
    <button
      type="button"
      className={classNames(styles.chip, outlined && styles.outlined)}
      aria-pressed={pressed}
      tabIndex={tabIndex}
      onClick={onPress}
    >
      {children}
      {count !== undefined && <CountText className={styles.count} value={count} />}
    </button>
  )
}
