import type {ReactNode} from 'react'
import styles from './state-chip.module.css'

export type Tone = 'neutral' | 'success' | 'warning' | 'danger'

/** A state in one word. The word says it; the colour repeats it. */
export function StateChip({tone, icon, children}: {tone: Tone; icon?: ReactNode; children: ReactNode}) {
  return (
    <bdi className={styles.chip} data-tone={tone}>
      {icon}
      {children}
    </bdi>
  )
}
