import {useText} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {stateText} from '../feed/state-text.ts'
import {ProgressBar} from '../progress-bar.tsx'
import styles from './songs.module.css'

/** How far a song is. */
export function Rendering({card}: {card: Card}) {
  const text = useText()
  return <ProgressBar label={text(stateText[card.state])} progress={card.reading.progress} className={styles.bar} />
}
