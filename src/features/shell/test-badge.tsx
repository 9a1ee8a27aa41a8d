import {useText} from '#ui/text.tsx'
import styles from './test-badge.module.css'

/** Bottom right in test mode (spec §2); lets clicks through. */
export function TestBadge() {
  const text = useText()
  return <div className={styles.test}>{text('index.badgeTest')}</div>
}
