import {useText} from '#ui/text.tsx'
import styles from './import.module.css'

const mostShown = 100

/** The first of many conversations by title, with what is said of each. */
export function ShortList({items}: {items: readonly {title: string; note?: string | undefined}[]}) {
  const text = useText()
  if (items.length === 0) return null
  return (
    // scrolled by keys as well
    <ul className={styles.list} tabIndex={0} aria-label={text('chat.conversations')}>
      {items.slice(0, mostShown).map(({title, note}, index) => (
        // two may have one title, and none of them moves
        <li key={index}>
          <bdi>{title === '' ? text('chat.untitled') : title}</bdi>
          {note !== undefined && <small className={styles.note}>{note}</small>}
        </li>
      ))}
      {items.length > mostShown && <li>{text('index.settingImportMore', {count: items.length - mostShown})}</li>}
    </ul>
  )
}
