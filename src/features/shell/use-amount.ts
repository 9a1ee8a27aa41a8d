import {numberFormat} from '#domain/number-format.ts'
import {useLanguage} from '#ui/language.tsx'

/** Numbers with Latin digits in every language (design.md §9). */
export function useAmount() {
  const {locale} = useLanguage()
  return (value: number | null | undefined, longest: 2 | 6) =>
    value == null ? '–' : numberFormat(locale, {minimumFractionDigits: 2, maximumFractionDigits: longest}).format(value)
}
