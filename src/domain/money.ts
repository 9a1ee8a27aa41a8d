import {currencySymbols, defaultCurrency, type Currency} from './currency.ts'

/**
 * A usd amount in the user's currency: symbol and two decimals (contract/platform §5). Without a rate it stays in usd,
 * with its symbol: a foreign symbol on a usd figure would be wrong. Empty if it is not a number.
 */
export function formatMoney(usd: number, currency: Currency, rate: number | undefined, digits = 2): string {
  if (!Number.isFinite(usd)) return ''
  const isConverted = rate !== undefined && Number.isFinite(rate)
  const value = isConverted ? usd * rate : usd
  const symbol = currencySymbols[isConverted ? currency : defaultCurrency]
  const text = Math.abs(value).toFixed(digits)
  return `${value < 0 && Number(text) !== 0 ? '-' : ''}${symbol}${text}`
}
