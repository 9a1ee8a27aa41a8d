import {useText} from '#ui/text.tsx'
import styles from './page.module.css'
import {useOnline} from './use-online.ts'

/** Shown while a part loads: nothing online; offline it says that the part loads once the network is back. */
export function PartWaits() {
  const text = useText()
  return useOnline() ? null : (
    <div className={styles.centre} role="status">
      <p className={styles.line}>{text('index.partWaits')}</p>
    </div>
  )
}
