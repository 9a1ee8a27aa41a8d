import {Link} from '@tanstack/react-router'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {useText} from '#ui/text.tsx'
import styles from './page.module.css'

/** An unknown address. The navigation stays; a link leads to a new chat, a button to the search (screens.md §15). */
export function NotFoundPage({onSearch}: {onSearch: () => void}) {
  const text = useText()
  return (
    <div className={styles.centre}>
      <h1 className={styles.title} tabIndex={-1}>
        {text('index.notFound')}
      </h1>
      <p className={styles.line}>{text('index.notFoundHelp')}</p>
      <div className={styles.actions}>
        <Link to="/" className={buttonClass('primary')}>
          {text('index.newChat')}
        </Link>
        <Button onClick={onSearch}>{text('index.palette')}</Button>
      </div>
    </div>
  )
}
