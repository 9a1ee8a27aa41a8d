import {useText} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {stateText} from '../feed/state-text.ts'
import styles from './songs.module.css'

/** How far a song is. */
export function Rendering({card}: {card: Card}) {
  const text = useText()
  const {progress} = card.reading
  return (
    <span
      className={styles.bar}
      role="progressbar"
      aria-label={text(stateText[card.state])}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(progress === undefined ? {} : {'aria-valuenow': Math.round(progress)})}
    >
      <i
        className={progress === undefined ? styles.indeterminate : undefined}
        style={progress === undefined ? undefined : {inlineSize: `${progress}%`}}
      />
    </span>
  )
}
