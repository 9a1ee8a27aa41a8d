import type {ReactElement, ReactNode} from 'react'
import {ChevronStartIcon} from '#ui/later-icons.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import styles from './console-page.module.css'

type ConsolePageProps = {
  title: string
  /** The link to the list that the page belongs to. */
  back?: ReactElement
  /** Filters and actions beside the title, or below it where they have no room. */
  tools?: ReactNode
  /** The last of the tools; on a phone beside the title, where filters have no room. */
  actions?: ReactNode
  /** For a form: its tools stand at its end, not at that of a list. */
  isNarrow?: boolean
  children: ReactNode
}

/** Frame of a page of the console: its title, its filters, its content (design/screens §5). */
export function ConsolePage({title, back, tools, actions, isNarrow = false, children}: ConsolePageProps) {
  const isPhone = useMediaQuery(phone)
  return (
    <div className={styles.page}>
      <div className={styles.column} data-narrow={isNarrow || undefined}>
        {back !== undefined && (
          <p className={styles.back}>
            <ChevronStartIcon size={14} />
            {back}
          </p>
        )}
        <div className={styles.head}>
          <h1 tabIndex={-1}>{title}</h1>
          {isPhone && actions}
          {tools !== undefined && (
            <div className={styles.tools}>
              {tools}
              {!isPhone && actions}
            </div>
          )}
        </div>
        {children}
      </div>
    </div>
  )
}
