import {Link} from '@tanstack/react-router'
import {type ReactNode} from 'react'
import {buttonClass} from '#ui/button-class.ts'
import {useText} from '#ui/text.tsx'
import styles from './page.module.css'

type ComingPageProps = {
  title: string
  /** One sentence about the future page. */
  line: string
  /** Other places to go. */
  children?: ReactNode
}

/** Placeholder of a route of the specification that is not built yet; says so. */
export function ComingPage({title, line, children}: ComingPageProps) {
  const text = useText()
  return (
    <div className={styles.centre}>
      <p className={styles.eyebrow}>{text('index.coming')}</p>
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
      <p className={styles.line}>{line}</p>
      <p className={styles.fine}>{text('index.comingHelp')}</p>
      <div className={styles.actions}>
        <Link to="/" className={buttonClass('outline')}>
          {text('index.comingChat')}
        </Link>
      </div>
      {children}
    </div>
  )
}
