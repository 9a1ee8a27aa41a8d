import {Link} from '@tanstack/react-router'
import {ConsoleIcon, FileIcon, WalletIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './console-nav.module.css'

/** Pages of the console, in the panel beside it. */
export function ConsoleNav() {
  const text = useText()
  return (
    <nav className={styles.nav} aria-label={text('index.console')}>
      <Link to="/console/applications" className={styles.item} activeProps={{'aria-current': 'page'}}>
        <WalletIcon />
        {text('index.applications')}
      </Link>
      <Link to="/console/orders" className={styles.item} activeProps={{'aria-current': 'page'}}>
        <FileIcon />
        {text('index.orders')}
      </Link>
      <Link to="/console/usages" className={styles.item} activeProps={{'aria-current': 'page'}}>
        <ConsoleIcon />
        {text('index.usages')}
      </Link>
    </nav>
  )
}
