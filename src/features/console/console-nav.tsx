import {Link} from '@tanstack/react-router'
import type {ReactNode} from 'react'
import {ApplicationsIcon, OrdersIcon, UsageIcon} from '#ui/console-icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './console-nav.module.css'

/** The panel beside the console: its pages, and what stands at the foot. */
export function ConsoleNav({foot}: {foot: ReactNode}) {
  const text = useText()
  return (
    <>
      <nav className={styles.nav} aria-label={text('index.console')}>
        <Link to="/console/applications" className={styles.item} activeProps={{'aria-current': 'page'}}>
          <ApplicationsIcon />
          {text('index.applications')}
        </Link>
        <Link to="/console/orders" className={styles.item} activeProps={{'aria-current': 'page'}}>
          <OrdersIcon />
          {text('index.orders')}
        </Link>
        <Link to="/console/usages" className={styles.item} activeProps={{'aria-current': 'page'}}>
          <UsageIcon />
          {text('index.usages')}
        </Link>
      </nav>
      <div className={styles.foot}>{foot}</div>
    </>
  )
}
