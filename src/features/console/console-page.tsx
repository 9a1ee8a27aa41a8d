import type {ReactNode} from 'react'
import styles from './console-page.module.css'

type ConsolePageProps = {
  title: string
  /** Filters and actions beside the title. */
  tools?: ReactNode
  children: ReactNode
}

/** Frame of a page of the console: its title, its filters, its content (design/screens §5). */
export function ConsolePage({title, tools, children}: ConsolePageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <div className={styles.head}>
          <h1 className={styles.title} tabIndex={-1}>
            {title}
          </h1>
          {tools !== undefined && <div className={styles.tools}>{tools}</div>}
        </div>
        {children}
      </div>
    </div>
  )
}
