import {formatExact} from '#domain/exact-amount.ts'
import type {UsageColumn, UsageSum} from '#domain/usage-series.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import type {UsageBarsProps} from './usage-bars.tsx'
import {formatCount, kindTexts, type Measure} from './usage-format.ts'
import styles from './usage-sums.module.css'

type UsageSumsProps = UsageBarsProps & {
  /** Sums over all columns. */
  sums: Pick<UsageColumn, 'total' | 'parts'>
}

/** In a column of figures all have the same number of decimals. */
const cellText = ({count, micro}: UsageSum, measure: Measure, locale: string) =>
  measure === 'credits' ? formatExact(micro, locale, 6) : formatCount(count, locale)

/** The same as the bars, as a table. */
export function UsageSums({title, columns, kinds, measure, names, sums}: UsageSumsProps) {
  const text = useText()
  const {locale} = useLanguage()
  const row = ({total, parts}: Pick<UsageColumn, 'total' | 'parts'>) => (
    <>
      {kinds.map((kind) => (
        <td key={kind}>
          <bdi dir="ltr">{cellText(parts[kind], measure, locale)}</bdi>
        </td>
      ))}
      <td>
        <bdi dir="ltr">{cellText(total, measure, locale)}</bdi>
      </td>
    </>
  )
  return (
    <div className={styles.scroller} role="group" aria-label={title} tabIndex={0}>
      <table className={styles.table} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{text('usage.time')}</th>
            {kinds.map((kind) => (
              <th key={kind} scope="col">
                {text(kindTexts[kind])}
              </th>
            ))}
            <th scope="col">{text('usage.total')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <tr key={column.start}>
              <th scope="row">{names.long(column.start)}</th>
              {row(column)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{text('usage.total')}</th>
            {row(sums)}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
