import {decimalsOf} from '#domain/exact-amount.ts'
import {formatMoney} from '#domain/money.ts'
import type {Currency} from '#domain/currency.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import styles from './price-text.module.css'

/** The currency beside US dollars in prices; without a rate there are dollars alone. `date`: ISO day of the rate. */
export type PriceCurrency = {currency: Currency; rate: number | undefined; date?: string | undefined}

type PriceTextProps = PriceCurrency & {
  /** US dollars. */
  usd: number
  /** The amount that is charged or booked stands beside the converted one. */
  showsBase?: boolean
}

/**
 * A price in the user's currency, and in US dollars, which are charged (spec §9, contract/platform §5). Dollars have
 * all their decimals, so that the amounts of a list add up to their sum.
 */
export function PriceText({usd, currency, rate, showsBase = false}: PriceTextProps) {
  const {locale} = useLanguage()
  const isConverted = currency !== 'usd' && rate !== undefined
  const dollars = formatMoney(usd, 'usd', 1, locale, decimalsOf(usd))
  return (
    <bdi dir="ltr" className={styles.price}>
      <span className={styles.part}>{isConverted ? formatMoney(usd, currency, rate, locale) : dollars}</span>
      {showsBase && isConverted && (
        <>
          {' '}
          {/* a symbol that is written from right to left would turn the brackets around */}
          <bdi dir="ltr" className={styles.base}>
            ({dollars})
          </bdi>
        </>
      )}
    </bdi>
  )
}

type CostTextProps = PriceCurrency & {price: string | number | null | undefined}

/** The price of an order or a package, with the dollars that are charged; a word says that there is nothing to pay. */
export function CostText({price, ...money}: CostTextProps) {
  const text = useText()
  if (price == null) return '–'
  return Number(price) === 0 ? text('order.free') : <PriceText usd={Number(price)} showsBase {...money} />
}
