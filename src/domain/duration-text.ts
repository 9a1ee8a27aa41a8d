import {numberFormat} from './number-format.ts'

const unitText = (value: number, unit: 'minute' | 'second', locale: string, digits: number) =>
  numberFormat(locale, {style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits}).format(value)

/** A length in the user's language: `12 sec`, from a minute on `1 min 5 sec`. `digits`: of a second, under a minute. */
export function formatSeconds(seconds: number, locale: string, digits = 0): string {
  if (seconds < 60) {
    // 59.96 is a minute where it is rounded to one
    const roundedSeconds = Number(seconds.toFixed(digits))
    if (roundedSeconds < 60) return unitText(roundedSeconds, 'second', locale, digits)
  }
  const whole = Math.round(seconds)
  const minutes = unitText(Math.floor(whole / 60), 'minute', locale, 0)
  return whole % 60 === 0 ? minutes : `${minutes} ${unitText(whole % 60, 'second', locale, 0)}`
}
