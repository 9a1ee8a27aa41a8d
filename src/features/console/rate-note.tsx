import {leftToRight} from '#domain/left-to-right.ts'
import {formatMoney} from '#domain/money.ts'
import {latinDigits} from '#domain/number-format.ts'
import {Button} from '#ui/button.tsx'
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

/** A rate that could not be read, and how to ask for it again. */
export type MissingRate = {isAsked: boolean; onAsk: () => void}

type RateNoteProps = {money: PriceCurrency; missing: MissingRate | undefined}

/** By which rate prices were converted, and of which day it is; nothing where US dollars are the user's currency. */
export function RateNote({money: {currency, rate, date: rateDate}, missing}: RateNoteProps) {
  const text = useText()
  const {locale} = useLanguage()
  if (missing !== undefined)
    return (
      <p className={styles.missing}>
        {text('order.noRate')}{' '}
        <Button variant="ghost" size="sm" loading={missing.isAsked} onClick={missing.onAsk}>
          {text('common.retry')}
        </Button>
      </p>
    )
  if (currency === 'usd' || rate === undefined) return null
  const sums = {
    one: leftToRight(formatMoney(1, 'usd', 1, locale, 0)),
    amount: leftToRight(formatMoney(1, currency, rate, locale, digitsOf(rate))),
  }
  const date = dayOf(rateDate, locale)
  return (
    <p className={styles.rate}>
      {date === undefined ? text('order.rate', sums) : text('order.rateOf', {date, ...sums})}
    </p>
  )
}
