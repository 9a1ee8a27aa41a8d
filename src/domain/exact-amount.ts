import {numberFormat} from './number-format.ts'

/*
 * Sums of credits, exact to six decimals. A number would round the last digits of a long sum, so these are millionths
 * as `bigint` to count with, and decimal text such as `12.340000` to show. What was taken back is negative.
 */

type DecimalText = `${number}`

const isDecimal = (text: string): text is DecimalText => /^-?\d+(\.\d+)?$/.test(text)

/** Millionths of a credit. Numbers of a list have six decimals at most; anything that is no amount counts as zero. */
export function microOf(amount: string | number): bigint {
  const text = typeof amount === 'number' ? amount.toFixed(6) : amount
  if (!isDecimal(text)) return 0n
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  return text.startsWith('-') ? -size : size
}

const sizeOf = (micro: bigint) => (micro < 0n ? -micro : micro)

/** `12.340000` */
export function microText(micro: bigint): DecimalText {
  const digits = String(sizeOf(micro)).padStart(7, '0')
  const text = `${micro < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
  return isDecimal(text) ? text : '0'
}

/** Decimals that an amount needs to be written exactly, and two at least. */
export const decimalsOf = (amount: string | number): number =>
  Math.max(
    2,
    microText(microOf(amount))
      .replace(/(?<!0)0+$/, '')
      .split('.')[1]?.length ?? 0,
  )

/** Decimals with which every amount of a column is written exactly; missing ones count as none. */
export const mostDecimals = (amounts: readonly (number | null | undefined)[]): number =>
  Math.max(2, ...amounts.map((amount) => decimalsOf(amount ?? 0)))

/** The mean of a sum, rounded to six decimals, halves away from zero; zero for no parts. */
export function microMean(micro: bigint, count: number): bigint {
  if (count <= 0) return 0n
  const size = (sizeOf(micro) * 2n + BigInt(count)) / (BigInt(count) * 2n)
  return micro < 0n ? -size : size
}

/** Every digit of an amount in the user's language, with Latin digits (design §9): `1,234.56`, `0.000123`. */
export const formatExact = (micro: bigint, locale: string, least = 2): string =>
  numberFormat(locale, {minimumFractionDigits: least, maximumFractionDigits: 6}).format(microText(micro))
