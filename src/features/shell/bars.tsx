import {Button} from '#ui/button.tsx'
import {OfflineIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './bars.module.css'

/** A bar of 32 px at the top edge while the browser is offline. */
export function OfflineBar() {
  const text = useText()
  return (
    <div className={styles.offline} role="status">
      <OfflineIcon />
      {text('index.offline')}
    </div>
  )
}

/** A part of the page crashed too often to restart by itself. */
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

/** Beside the model while the sandbox answers: no model, no charge. */
export function SandboxBadge() {
  const text = useText()
  return (
    <span className={styles.sandbox} title={text('index.badgeSandboxHint')}>
      {text('index.badgeSandbox')}
      <span className="visually-hidden">{text('index.badgeSandboxHint')}</span>
    </span>
  )
}
