import {useLanguage} from './language.tsx'

type MoneyTextProps = {
  /** Credits. For an amount in a currency use `formatMoney` of the domain. */
  amount: number
  fractionDigits?: number
}

/** An amount in the user's language: tabular figures, Latin digits, isolated from the writing direction (design §9). */
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
