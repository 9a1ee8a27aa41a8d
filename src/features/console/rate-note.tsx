import {formatMoney} from '#domain/money.ts'
import {latinDigits} from '#domain/number-format.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import type {PriceCurrency} from './price-text.tsx'
import styles from './price-text.module.css'

/** Decimals of a rate: what a price of hundreds of dollars needs to be followed. */
const digitsOf = (rate: number) => (rate < 100 ? 4 : 2)

/** A day of the server's table, which is the same for every time zone. */
function dayOf(date: string | undefined, locale: string): string | undefined {
  const day = new Date(date ?? '')
  if (Number.isNaN(day.getTime())) return undefined
  return new Intl.DateTimeFormat(latinDigits(locale), {dateStyle: 'medium', timeZone: 'UTC'}).format(day)
}

/** By which rate prices were converted, and of which day it is; nothing where they are in US dollars. */
export function RateNote({currency, rate, date: rateDate}: PriceCurrency) {
  const text = useText()
  const {locale} = useLanguage()
  if (currency === 'usd' || rate === undefined) return null
  const sums = {
    one: isolated(formatMoney(1, 'usd', 1, 0)),
    amount: isolated(formatMoney(1, currency, rate, digitsOf(rate))),
  }
  const date = dayOf(rateDate, locale)
  return (
    <p className={styles.rate}>
      {date === undefined ? text('order.rate', sums) : text('order.rateOf', {date, ...sums})}
    </p>
  )
}

/** An amount reads from left to right in every language. */
const isolated = (amount: string) => `\u2066${amount}\u2069`
