import {useLanguage} from './language.tsx'

type CountTextProps = {
  value: number
  /** The total: `2 / 10,002`. */
  most?: number
  className?: string | undefined
}

/** A whole number in the user's grouping, such as 10,002, with Latin digits like amounts (design §9). */
export function CountText({value, most, className}: CountTextProps) {
  const {locale} = useLanguage()
  const numbers = new Intl.NumberFormat(`${locale}-u-nu-latn`)
  const text = numbers.format(value)
  return (
    <bdi dir="ltr" className={className}>
      {most === undefined ? text : `${text} / ${numbers.format(most)}`}
    </bdi>
  )
}
