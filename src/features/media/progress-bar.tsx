import {classNames} from '#ui/class-names.ts'
import styles from './progress-bar.module.css'

type ProgressBarProps = {
  label: string
  /** Percent; undefined where the service does not say. */
  progress: number | undefined
  /** Sets its size, and its colours by `--bar-track` and `--bar-fill`. */
  className?: string | undefined
}

/** How far a task is. */
export const ProgressBar = ({label, progress, className}: ProgressBarProps) => (
  <span
    className={classNames(styles.bar, className)}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    {...(progress === undefined ? {} : {'aria-valuenow': Math.round(progress)})}
  >
    <span
      className={progress === undefined ? styles.indeterminate : undefined}
      style={progress === undefined ? undefined : {inlineSize: `${progress}%`}}
    />
  </span>
)
