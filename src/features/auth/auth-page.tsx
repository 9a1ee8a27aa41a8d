import {type ReactNode} from 'react'
import {Spinner} from '#ui/spinner.tsx'
import styles from './auth-page.module.css'

type AuthPageProps = {
  title: string
  help?: string
  /** Shows a ring above the title. */
  busy?: boolean
  /** Announces the text at once, as a failure. */
  failed?: boolean
  children?: ReactNode
}

/** A page with one sentence and at most two actions, over the content below. */
export function AuthPage({title, help, busy = false, failed = false, children}: AuthPageProps) {
  return (
    <section className={styles.page} aria-label={title}>
      <div className={styles.body} role={failed ? 'alert' : 'status'}>
        {busy && (
          <span className={styles.busy}>
            <Spinner />
          </span>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {help !== undefined && <p className={styles.help}>{help}</p>}
        <div className={styles.actions}>{children}</div>
      </div>
    </section>
  )
}
