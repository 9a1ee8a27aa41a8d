import {useLanguage} from '#ui/language.tsx'

/** Numbers with Latin digits in every language (design.md §9). */
export function useAmount() {
  const {locale} = useLanguage()
  return (value: number | null | undefined, longest: 2 | 6) =>
    value == null
      ? '–'
      : new Intl.NumberFormat(`${locale}-u-nu-latn`, {minimumFractionDigits: 2, maximumFractionDigits: longest}).format(
          value,
        )
}
