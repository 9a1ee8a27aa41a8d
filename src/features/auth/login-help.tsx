import {useEffect, useState} from 'react'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './login-help.module.css'

/** How long the login page may take before help shows, in ms (screens.md §14). */
const patience = 10_000

/** Whether what began with `attempt` takes longer than a user waits in silence. */
export function useIsSlow(attempt = 0): boolean {
  const [slowAttempt, setSlowAttempt] = useState<number>()
  useEffect(() => {
    const timer = setTimeout(() => setSlowAttempt(attempt), patience)
    return () => clearTimeout(timer)
  }, [attempt])
  return slowAttempt === attempt
}

type LoginHelpProps = {
  isSlow: boolean
  /** Loads again what is awaited. */
  onReload: () => void
  /** The embedded page cannot work here (blocked cookies, a slow network): sign in by leaving this page. */
  onRedirect: () => void
}

/** The ways on where the embedded login page does not come. A frame does not tell its page that it failed to load. */
export function LoginHelp({isSlow, onReload, onRedirect}: LoginHelpProps) {
  const text = useText()
  return (
    <div className={styles.help} role="status">
      {isSlow && <p>{text('index.loginSlow')}</p>}
      <div className={styles.actions}>
        <Button variant="ghost" size="sm" onClick={onReload}>
          {text('index.loginReload')}
        </Button>
        <Button variant="ghost" size="sm" onClick={onRedirect}>
          {text('index.loginFullPage')}
        </Button>
      </div>
    </div>
  )
}

/** Stands for the login dialog while its code loads: nothing at first, then the ways on. */
export function LoginWait({onRedirect}: Pick<LoginHelpProps, 'onRedirect'>) {
  const isSlow = useIsSlow()
  return (
    isSlow && (
      <div className={styles.wait}>
        <LoginHelp isSlow onReload={() => location.reload()} onRedirect={onRedirect} />
      </div>
    )
  )
}
