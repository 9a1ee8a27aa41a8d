import {numberFormat} from './number-format.ts'

/** `10` as `10%` or `10 %`, as the language writes it, with Latin digits (design §9). */
export const formatPercent = (percentage: number, locale: string): string =>
  numberFormat(locale, {style: 'percent', maximumFractionDigits: 2}).format(percentage / 100)
