import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './page.module.css'

/** What stands in place of a part that failed. */
export function Crash({error, onReload}: {error: unknown; onReload: () => void}) {
  const text = useText()
  const details = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)
  return (
    <div className={styles.centre} role="alert">
      <p className={styles.line}>{text('index.crash')}</p>
      <div className={styles.actions}>
        <Button onClick={onReload}>{text('index.crashReload')}</Button>
        <CopyButton labelled value={() => details} label={text('common.copyDetails')} />
      </div>
    </div>
  )
}
