import {useMachine} from '@xstate/react'
import {loginFrameMachine} from '#machines/login-frame/login-frame.machine.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './login-help.module.css'

type LoginHelpProps = {
  isSlow: boolean
  /** Loads the login page again. */
  onReload: () => void
  /** Signs in by navigation, for browsers where the embedded page cannot work (blocked cookies, a slow network). */
  onRedirect: () => void
}

/** Actions for an embedded login page that does not load. A frame does not report failed loads. */
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

/** Shown while the login dialog's code loads: first nothing, then the actions. */
export function LoginWait({onRedirect}: Pick<LoginHelpProps, 'onRedirect'>) {
  const [snapshot] = useMachine(loginFrameMachine)
  return (
    snapshot.matches('slow') && (
      <div className={styles.wait}>
        <LoginHelp isSlow onReload={() => location.reload()} onRedirect={onRedirect} />
      </div>
    )
  )
}
