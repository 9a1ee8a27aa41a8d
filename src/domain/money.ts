import {currencySymbols, defaultCurrency, type Currency} from './currency.ts'
import {numberFormat} from './number-format.ts'

/**
 * A usd amount in the user's currency: symbol and two decimals (contract/platform §5), grouped as the language groups
 * numbers. Without a rate it stays in usd, with its symbol: a foreign symbol on a usd figure would be wrong. Empty if
 * it is not a number.
 */
export function formatMoney(
  usd: number,
  currency: Currency,
  rate: number | undefined,
  locale: string,
  digits = 2,
): string {
  if (!Number.isFinite(usd)) return ''
  const isConverted = rate !== undefined && Number.isFinite(rate)
  const value = isConverted ? usd * rate : usd
  const symbol = currencySymbols[isConverted ? currency : defaultCurrency]
  const text = numberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  }).format(value)
  return text.replace(/^\P{Nd}*/u, (sign) => `${sign}${symbol}`)
}
