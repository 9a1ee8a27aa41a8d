import {useText} from '#ui/text.tsx'
import {useLazy} from '#ui/use-lazy.ts'
import {stateText} from './state-text.ts'
import type {WellProps} from './task-well.tsx'
import {wells} from './load-task-well.ts'
import styles from './task-card.module.css'

/** A task without a result; in one line as long as its looks are not there. */
export function LazyWell(props: WellProps) {
  const text = useText()
  const Well = useLazy(wells, true)
  return Well === undefined ? (
    <p className={styles.plain} data-state={props.card.state}>
      {text(stateText[props.card.state])}
    </p>
  ) : (
    <Well {...props} />
  )
}
