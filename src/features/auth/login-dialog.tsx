import {useEffect, useState, type ReactNode} from 'react'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import styles from './login-dialog.module.css'
import {loginFrameId} from './login-frame-id.ts'

/** How long the embedded page may take before help shows, in ms (screens.md §14). */
const patience = 10_000

type LoginDialogProps = {
  open: boolean
  siteTitle: string
  /** Address of the embedded login page. */
  source: string | undefined
  /** The embedded page cannot work here (blocked cookies, a slow network): sign in by leaving this page. */
  onRedirect: () => void
  /** A dialog over this one: the QR code it asked for. */
  children?: ReactNode
}

/** The login page in a frame of 360 × 560 (spec §2). There is no way out but signing in. */
export function LoginDialog({open, siteTitle, source, onRedirect, children}: LoginDialogProps) {
  const text = useText()
  return (
    <Dialog open={open} title={text('index.loginTitle')} hiddenTitle width={400}>
      <p className={styles.site}>
        <bdi>{siteTitle}</bdi>
      </p>
      {source !== undefined && <LoginFrame key={source} source={source} onRedirect={onRedirect} />}
      {children}
    </Dialog>
  )
}

function LoginFrame({source, onRedirect}: {source: string; onRedirect: () => void}) {
  const text = useText()
  const [attempt, setAttempt] = useState(0)
  const [phase, setPhase] = useState<'loading' | 'slow' | 'loaded'>('loading')

  useEffect(() => {
    const timer = setTimeout(() => setPhase((now) => (now === 'loading' ? 'slow' : now)), patience)
    return () => clearTimeout(timer)
  }, [attempt])

  const reload = () => {
    setPhase('loading')
    setAttempt((count) => count + 1)
  }
  return (
    <div className={styles.frame}>
      {phase !== 'loaded' && (
        <div className={styles.waiting}>
          <Skeleton inlineSize="60%" blockSize={24} />
          <Skeleton blockSize={40} />
          <Skeleton blockSize={40} />
          <Skeleton blockSize={40} />
        </div>
      )}
      {phase === 'slow' && (
        <div className={styles.slow} role="status">
          <p>{text('index.loginSlow')}</p>
          <div className={styles.actions}>
            <Button size="sm" onClick={reload}>
              {text('index.loginReload')}
            </Button>
            <Button variant="ghost" size="sm" onClick={onRedirect}>
              {text('index.loginFullPage')}
            </Button>
          </div>
        </div>
      )}
      <iframe
        key={attempt}
        id={loginFrameId}
        className={styles.page}
        src={source}
        title={text('index.loginTitle')}
        width={360}
        height={560}
        onLoad={(event) => {
          setPhase('loaded')
          event.currentTarget.focus()
        }}
      />
    </div>
  )
}
