import {useText} from '#ui/text.tsx'
import styles from './page.module.css'
import {useOnline} from './use-online.ts'

/** In place of a part that is on its way: nothing, and without a network what it waits for. It comes by itself then. */
export function PartWaits() {
  const text = useText()
  return useOnline() ? null : (
    <div className={styles.centre} role="status">
      <p className={styles.line}>{text('index.partWaits')}</p>
    </div>
  )
}
