import type {ReactNode} from 'react'
import {Button} from './button.tsx'
import styles from './problem.module.css'
import {useText} from './text.tsx'

type ProblemProps = {
  /** `warning`: what is shown is older than it should be. */
  tone?: 'danger' | 'warning'
  /** The failure and its cause, in whole sentences. */
  children: ReactNode
  /** Tries the same again. */
  onRetry?: () => void
}

/** One thing failed and the rest of the page stays: said where it happened. A failed page is an `ErrorState`. */
export function Problem({tone = 'danger', children, onRetry}: ProblemProps) {
  const text = useText()
  return (
    <div role="alert" className={styles.problem} data-tone={tone}>
      <p>{children}</p>
      {onRetry !== undefined && (
        <Button size="sm" onClick={onRetry}>
          {text('common.retry')}
        </Button>
      )}
    </div>
  )
}
