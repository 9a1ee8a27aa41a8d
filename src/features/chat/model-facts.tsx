import {formatExact, microOf} from '#domain/exact-amount.ts'
import type {KnownPrice} from '#domain/model-price.ts'
import {ImageIcon} from '#ui/icons.tsx'
import {FileIcon} from '#ui/later-icons.tsx'
import {useLanguage} from '#ui/language.tsx'
import {ReasoningIcon} from '#ui/model-icons.tsx'
import {useText} from '#ui/text.tsx'
import type {OfferedModel} from './model-catalogue.ts'
import {reasonsFirst} from './model-lines.ts'
import styles from './model-list.module.css'

/** The inputs and abilities of a model. */
export function ModelAbilities({model}: {model: OfferedModel}) {
  const text = useText()
  const reasons = reasonsFirst(model)
  return (
    <span className={styles.facts}>
      {model.takesFiles && (
        <span className={styles.fact}>
          <FileIcon size={14} /> {text('chat.takesFiles')}
        </span>
      )}
      {model.takesImages && (
        <span className={styles.fact}>
          <ImageIcon size={14} /> {text('chat.takesImages')}
        </span>
      )}
      {!model.takesFiles && !model.takesImages && <span>{text('chat.modelTextOnly')}</span>}
      {reasons && (
        <span className={styles.fact}>
          <ReasoningIcon size={14} /> {text('chat.modelReasons')}
        </span>
      )}
    </span>
  )
}

type ModelFactsProps = {model: OfferedModel; price: KnownPrice | undefined}

/** The same, and what it costs; one that cannot be chosen has no price here. */
export const ModelFacts = ({model, price}: ModelFactsProps) => (
  <span className={styles.facts}>
    <ModelAbilities model={model} />
    {model.disabled === undefined && <ModelPrice price={price} />}
  </span>
)

/** The price of an answer of a model; `isWhole`: in a sentence, where nothing says what two numbers are. */
export function ModelPrice({price, isWhole = false}: {price: KnownPrice | undefined; isWhole?: boolean}) {
  const text = useText()
  const {locale} = useLanguage()
  const shown = (credits: string) => formatExact(microOf(credits), locale)
  if (price === undefined) return <span>{text('chat.modelPriceUnknown')}</span>
  if (price.kind === 'free') return <span>{text('chat.modelFree')}</span>
  if (price.kind === 'rules')
    return <span>{text('chat.modelPriceAnswer', {credits: formatExact(price.micro, locale)})}</span>
  const values = {prompt: shown(price.prompt), completion: shown(price.completion)}
  if (isWhole) return <span>{text('chat.modelPrice', values)}</span>
  return (
    <>
      {/* in the direction of the page, as the words below the list that say what each number is */}
      <span aria-hidden="true" title={text('chat.modelPrice', values)}>
        {values.prompt} / {values.completion}
      </span>
      <span className="visually-hidden">{text('chat.modelPrice', values)}</span>
    </>
  )
}
