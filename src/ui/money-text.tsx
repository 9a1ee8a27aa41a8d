import {useIntl} from 'react-intl'

type MoneyTextProps = {
  amount: number
  /** ISO code in any case, as the state keeps it (`usd`). Without it the amount is a plain number (credits). */
  currency?: string
  fractionDigits?: number
}

/** An amount in the person's language: tabular figures, Latin digits, isolated from the writing direction (design §9). */
export function MoneyText({amount, currency, fractionDigits = 2}: MoneyTextProps) {
  const {locale} = useIntl()
  const format = new Intl.NumberFormat(`${locale}-u-nu-latn`, {
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
    ...(currency === undefined ? {} : {style: 'currency', currency: currency.toUpperCase()}),
  })
  return (
    <bdi dir="ltr" style={{fontVariantNumeric: 'tabular-nums'}}>
      {format.format(amount)}
    </bdi>
  )
}
