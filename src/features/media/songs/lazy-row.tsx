import {useText} from '#ui/text.tsx'
import {useLazy} from '#ui/use-lazy.ts'
import {stateText} from '../feed/state-text.ts'
import type {RowProps} from './waiting-row.tsx'
import {waitingRows} from './waiting-rows.ts'
import styles from './songs.module.css'

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
