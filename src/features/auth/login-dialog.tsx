import {useMachine} from '@xstate/react'
import type {ReactNode} from 'react'
import {loginFrameMachine} from '#machines/login-frame/login-frame.machine.ts'
import {Dialog} from '#ui/dialog.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import styles from './login-dialog.module.css'
import {loginFrameId} from './login-frame-id.ts'
import {LoginHelp, LoginWait} from './login-help.tsx'

type LoginDialogProps = {
  open: boolean
  siteTitle: string
  /** Address of the embedded login page. */
  source: string | undefined
  /** The previous sign-in failed. */
  failed?: boolean
  /** Signs in by navigation, leaving this page. */
  onRedirect: () => void
  /** A dialog over this one: the requested QR code. */
  children?: ReactNode
}

/** The login page in a frame of 360 × 560 (spec §2). The user cannot close it without signing in. */
export function LoginDialog({open, siteTitle, source, failed = false, onRedirect, children}: LoginDialogProps) {
  const text = useText()
  return (
    <Dialog
      open={open}
      title={text('index.loginTitle')}
      hiddenTitle
      width={400}
      fallback={<LoginWait onRedirect={onRedirect} />}
    >
      <p className={styles.site}>
        <bdi>{siteTitle}</bdi>
      </p>
      {failed && (
        <p className={styles.failed} role="alert">
          {text('index.authFailed')}
        </p>
      )}
      {source !== undefined && <LoginFrame key={source} source={source} onRedirect={onRedirect} />}
      {children}
    </Dialog>
  )
}

function LoginFrame({source, onRedirect}: {source: string; onRedirect: () => void}) {
  const text = useText()
  const [snapshot, send] = useMachine(loginFrameMachine)
  return (
    <>
      <div className={styles.frame}>
        {!snapshot.matches('loaded') && (
          <div className={styles.waiting}>
            <Skeleton inlineSize="60%" blockSize={24} />
            <Skeleton blockSize={40} />
            <Skeleton blockSize={40} />
            <Skeleton blockSize={40} />
          </div>
        )}
        <iframe
          key={snapshot.context.attempt}
          id={loginFrameId}
          className={styles.page}
          src={source}
          title={text('index.loginTitle')}
          width={360}
          height={560}
          onLoad={(event) => {
            send({type: 'frame.loaded'})
            event.currentTarget.focus()
          }}
        />
      </div>
      <LoginHelp
        isSlow={snapshot.matches('slow')}
        onReload={() => send({type: 'frame.reload'})}
        onRedirect={onRedirect}
      />
    </>
  )
}
