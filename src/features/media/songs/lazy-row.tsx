import {useText} from '#ui/text.tsx'
import {useLazy} from '#ui/use-lazy.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {stateText} from '../feed/state-text.ts'
import type {SongCommands} from './song-group.tsx'
import {waitingRows} from './waiting-rows.ts'
import styles from './songs.module.css'

export type RowProps = {id: string; card: Card; commands: SongCommands}

/** A request without a song; its name and state alone as long as its looks are not there. */
export function LazyRow(props: RowProps) {
  const {id, card} = props
  const text = useText()
  const Row = useLazy(waitingRows, true)
  return Row === undefined ? (
    <div className={styles.song} data-state={card.state}>
      <span className={styles.cover} />
      <span className={styles.name}>
        <b id={id} dir="auto">
          {card.prompt === '' ? text('common.mediaUntitled') : card.prompt}
        </b>
        <small>{text(stateText[card.state])}</small>
      </span>
    </div>
  ) : (
    <Row {...props} />
  )
}

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
