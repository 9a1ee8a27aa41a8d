import {Button} from '#ui/button.tsx'
import {OfflineIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './bars.module.css'

/** 32 px under the top edge while the browser has no network. */
export function OfflineBar() {
  const text = useText()
  return (
    <div className={styles.offline} role="status">
      <OfflineIcon />
      {text('index.offline')}
    </div>
  )
}

/** A part of the page broke too often to start again by itself. */
export function BrokenBar({onRestart}: {onRestart: () => void}) {
  const text = useText()
  return (
    <div className={styles.offline} role="alert">
      {text('index.crash')}
      <Button size="sm" onClick={onRestart}>
        {text('index.crashReload')}
      </Button>
    </div>
  )
}

/** Bottom right in test mode (spec §2); never in the way of a click. */
export function TestBadge() {
  const text = useText()
  return <div className={styles.test}>{text('index.badgeTest')}</div>
}

/** Beside the model while the chat service answers from the sandbox: no model, no charge. */
export function SandboxBadge() {
  const text = useText()
  return (
    <span className={styles.sandbox} title={text('index.badgeSandboxHint')}>
      {text('index.badgeSandbox')}
      <span className="visually-hidden">{text('index.badgeSandboxHint')}</span>
    </span>
  )
}
