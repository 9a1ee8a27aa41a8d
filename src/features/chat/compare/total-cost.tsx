import {microText} from '#domain/exact-amount.ts'
import {togetherOf} from '#domain/model-price.ts'
import {numberFormat} from '#domain/number-format.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import styles from './compare.module.css'

/** An estimate has no more digits than it can mean. */
const formatEstimate = (micro: bigint, locale: string) =>
  numberFormat(locale, {maximumSignificantDigits: 3}).format(microText(micro))

/** Says what the question costs with all of them, before it is asked. */
export function TogetherText({answers}: {answers: Parameters<typeof togetherOf>[0]}) {
  const text = useText()
  const {locale} = useLanguage()
  if (answers.length === 0) return null
  const {most, unknown, isFree} = togetherOf(answers)
  if (isFree) return <p className={styles.together}>{text('compare.togetherFree')}</p>
  return (
    <p className={styles.together}>
      {most > 0n && <strong>{text('compare.together', {credits: formatEstimate(most, locale)})} </strong>}
      {unknown > 0 && <>{text('compare.togetherUnknown', {count: unknown})} </>}
      <span className={styles.fine}>{text('compare.note')}</span>
    </p>
  )
}
