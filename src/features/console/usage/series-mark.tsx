import type {UsageKind} from '#domain/usage-series.ts'
import {classNames} from '#ui/class-names.ts'
import styles from './series-mark.module.css'

/** The colour of a kind of tool; its name stands beside it. */
export function SeriesMark({kind}: {kind: UsageKind}) {
  return <span className={classNames(styles.colour, styles.mark)} data-kind={kind} aria-hidden="true" />
}
