import {useLanguage} from '#ui/language.tsx'
import {formatCount} from './usage-format.ts'
import styles from './usage-basis.module.css'

type UsageBasisProps = {
  count: number
  /** In which times are shown. */
  timeZone: string
  /** In which hours and days are counted, where that may be another one. */
  countedIn?: string
  /** Absent: only the rows of the page were counted. */
  span?: {from: string; until: string}
}

/** Says what the figures count, and in which time zone. */
export function UsageBasis({count, timeZone, countedIn = timeZone, span}: UsageBasisProps) {
  const {locale, format} = useLanguage()
  const values = {count: formatCount(count, locale), zone: <bdi key="zone">{timeZone}</bdi>}
  if (span === undefined) return <p className={styles.basis}>{format('usage.basisPage', values)}</p>
  return (
    <>
      {format('usage.basis', {
        ...values,
        from: (
          <bdi key="from" dir="ltr" className={styles.date}>
            {span.from}
          </bdi>
        ),
        until: (
          <bdi key="until" dir="ltr" className={styles.date}>
            {span.until}
          </bdi>
        ),
      })}
      {countedIn !== timeZone && <> {format('usage.basisZone', {zone: <bdi key="zone">{countedIn}</bdi>})}</>}
    </>
  )
}
