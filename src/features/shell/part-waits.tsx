import {useText} from '#ui/text.tsx'
import styles from './page.module.css'

/** Shown offline instead of a part that loads once the network is back. */
export function PartWaits() {
  const text = useText()
  return (
    <div className={styles.centre} role="status">
      <p className={styles.line}>{text('index.partWaits')}</p>
    </div>
  )
}
