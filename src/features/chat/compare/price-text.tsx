import {formatExact, microOf} from '#domain/exact-amount.ts'
import {togetherOf, type KnownPrice} from '#domain/model-price.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import styles from './compare.module.css'

/** What a model costs. */
export function PriceText({price}: {price: KnownPrice | undefined}) {
  const text = useText()
  const {locale} = useLanguage()
  if (price === undefined) return text('compare.unknown')
  if (price.kind === 'free') return text('compare.free')
  if (price.kind === 'rules') return text('compare.priceAnswer', {credits: formatExact(price.micro, locale)})
  const [prompt, completion] = [price.prompt, price.completion].map((credits) => formatExact(microOf(credits), locale))
  return text('compare.price', {prompt: prompt ?? '', completion: completion ?? ''})
}

/** What the question costs with all of them, before it is asked. */
export function TogetherText({answers}: {answers: Parameters<typeof togetherOf>[0]}) {
  const text = useText()
  const {locale} = useLanguage()
  if (answers.length === 0) return null
  const {most, unknown, isFree} = togetherOf(answers)
  if (isFree) return <p className={styles.together}>{text('compare.togetherFree')}</p>
  return (
    <p className={styles.together}>
      {most > 0n && <strong>{text('compare.together', {credits: formatExact(most, locale)})} </strong>}
      {unknown > 0 && <>{text('compare.togetherUnknown', {count: unknown})} </>}
      <span className={styles.fine}>{text('compare.note')}</span>
    </p>
  )
}
