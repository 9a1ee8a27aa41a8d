import {useLanguage} from './language.tsx'

type MoneyTextProps = {
  /** Credits; an amount in a currency is written by `formatMoney` of the domain. */
  amount: number
  fractionDigits?: number
}

/** An amount in the person's language: tabular figures, Latin digits, isolated from the writing direction (design §9). */
export function MoneyText({amount, fractionDigits = 2}: MoneyTextProps) {
  const {locale} = useLanguage()
  const format = new Intl.NumberFormat(`${locale}-u-nu-latn`, {
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  })
  return (
    <bdi dir="ltr" style={{fontVariantNumeric: 'tabular-nums'}}>
      {format.format(amount)}
    </bdi>
  )
}
