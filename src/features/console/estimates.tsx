import type {Package} from '#contract/packages.ts'
import type {ServiceApi} from '#contract/usage.ts'
import {estimatesOf, type Estimate} from '#domain/estimates.ts'
import {formatExact, microOf} from '#domain/exact-amount.ts'
import {formatMoney} from '#domain/money.ts'
import {numberFormat} from '#domain/number-format.ts'
import {unitPrice} from '#domain/packages.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import surface from '#ui/surface.module.css'
import type {PriceCurrency} from './price-text.tsx'
import styles from './estimates.module.css'

/** Lines that are shown at once; more are folded. */
const mostLines = 4

type EstimatesProps = {apis: readonly ServiceApi[]; offer: Package; money: PriceCurrency}

/** Says how many calls of each API a package buys, where the API says its costs (contract/screens §5). */
export function Estimates({apis, offer, money}: EstimatesProps) {
  const text = useText()
  const lines = estimatesOf(apis, offer.amount ?? 0)
  if (lines.length === 0) return null
  const each = unitPrice(offer)
  const listOf = (rows: readonly Estimate[]) => (
    <ul className={styles.lines}>
      {rows.map((line) => (
        <Line key={line.key} line={line} each={each} money={money} />
      ))}
    </ul>
  )
  return (
    <section className={styles.estimates} aria-labelledby="estimates">
      <h2 id="estimates" className={surface.heading}>
        {text('order.buys')}
      </h2>
      {listOf(lines.slice(0, mostLines))}
      {lines.length > mostLines && (
        <details>
          <summary className={styles.more}>{text('order.buysMore', {count: lines.length - mostLines})}</summary>
          {listOf(lines.slice(mostLines))}
        </details>
      )}
    </section>
  )
}

type LineProps = {line: Estimate; each: number | undefined; money: PriceCurrency}

function Line({line: {name, count, cost, remark, comparisons = []}, each, money}: LineProps) {
  const text = useText()
  const {locale} = useLanguage()
  const priceOf = (usd: number) => formatMoney(usd, money.currency, money.rate, locale, 3)
  return (
    <li className={styles.line}>
      <span className={styles.what}>
        <span>
          <b>{numberFormat(locale).format(count)}</b> × <bdi>{name}</bdi>
        </span>
        {remark != null && remark !== '' && (
          <bdi className={styles.fine} dir="ltr">
            {remark}
          </bdi>
        )}
      </span>
      <span className={styles.cost}>
        <bdi>{text('application.credits', {amount: formatExact(microOf(cost), locale, 0)})}</bdi>
        {each !== undefined && each > 0 && (
          <span className={styles.fine}>
            <bdi>{text('order.each', {price: priceOf(each * cost)})}</bdi>
          </span>
        )}
        {comparisons.map(({target, value}) => (
          <span key={target} className={styles.fine}>
            <bdi>{target}</bdi> <bdi dir="ltr">{priceOf(value)}</bdi>
          </span>
        ))}
      </span>
    </li>
  )
}
