import {formatMoney} from '#domain/money.ts'
import type {Currency} from '#domain/currency.ts'
import styles from './price-text.module.css'

/** The currency in which prices are shown beside US dollars; without a rate they stand in dollars alone. `date`: ISO day of the rate. */
export type PriceCurrency = {currency: Currency; rate: number | undefined; date?: string | undefined}

type PriceTextProps = PriceCurrency & {
  /** US dollars. */
  usd: number
  digits?: number
  /** What is charged stands beside the converted amount. */
  showsBase?: boolean
}

/** A price in the user's currency, and in US dollars, which are charged (spec §9, contract/platform §5). */
export function PriceText({usd, currency, rate, digits = 2, showsBase = false}: PriceTextProps) {
  const isConverted = currency !== 'usd' && rate !== undefined
  return (
    <bdi dir="ltr" className={styles.price}>
      <span className={styles.part}>{formatMoney(usd, currency, rate, digits)}</span>
      {showsBase && isConverted && (
        <>
          {' '}
          {/* a symbol that is written from right to left would turn the brackets around */}
          <bdi dir="ltr" className={styles.base}>
            ({formatMoney(usd, 'usd', 1, digits)})
          </bdi>
        </>
      )}
    </bdi>
  )
}
