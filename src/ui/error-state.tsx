import {Button} from './button.tsx'
import {AlertIcon, RetryIcon} from './icons.tsx'
import {useText} from './text.tsx'
import styles from './state.module.css'

type ErrorStateProps = {
  title: string
  /** Why, in a sentence. */
  help?: string
  /** Code and detail, in small print below the sentence. */
  detail?: string
  onRetry?: () => void
}

/** Replaces content that failed to load: says what happened and what to do. */
export function ErrorState({title, help, detail, onRetry}: ErrorStateProps) {
  const text = useText()
  return (
    <div className={styles.state} role="alert">
      <span className={styles.alertIcon}>
        <AlertIcon size={20} />
      </span>
      <p className={styles.title}>{title}</p>
      {help !== undefined && <p className={styles.text}>{help}</p>}
      {detail !== undefined && (
        <p className={styles.detail}>
          <bdi>{detail}</bdi>
        </p>
      )}
      {onRetry !== undefined && (
        <div className={styles.actions}>
          <Button icon={<RetryIcon size={14} />} onClick={onRetry}>
            {text('common.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}
