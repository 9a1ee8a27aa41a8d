import type {UsageKind} from '#domain/usage-series.ts'
import styles from './series-mark.module.css'

/** The colour of a kind of tool; its name stands beside it. */
export function SeriesMark({kind}: {kind: UsageKind}) {
  return <span className={styles.mark} data-kind={kind} aria-hidden="true" />
}
