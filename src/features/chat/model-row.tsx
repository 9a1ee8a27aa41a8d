import type {KnownPrice} from '#domain/model-price.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {CheckIcon} from '#ui/icons.tsx'
import type {Options} from '#ui/options/use-options.ts'
import {StarFilledIcon, StarIcon} from '#ui/star-icons.tsx'
import {useText} from '#ui/text.tsx'
import {shownLabel, type OfferedModel} from './model-catalogue.ts'
import {ModelFacts} from './model-facts.tsx'
import {noteOf} from './model-lines.ts'
import styles from './model-list.module.css'

type ModelRowProps = {
  options: Options
  model: OfferedModel
  price: KnownPrice | undefined
  isChosen: boolean
  isOneOfSeveral: boolean
  /** Id of what is said of its section. */
  describedBy: string | undefined
  /** Why it cannot be chosen. */
  reasonAgainst: string | undefined
  /** The files of the question that the model does not take; it can be chosen all the same. */
  warning: string | undefined
  isFavourite: boolean
  onChoose: () => void
  onToggle: () => void
}

/** A model of the list: what it takes and costs, what speaks against it, and its mark as a favourite. */
export function ModelRow(props: ModelRowProps) {
  const {options, model, price, isChosen, isOneOfSeveral, reasonAgainst, warning, isFavourite} = props
  const {describedBy, onChoose, onToggle} = props
  const text = useText()
  const label = shownLabel(model, text)
  const isCurrent = model.name === options.current
  return (
    <div {...options.pointed(model.name)} role="row" className={styles.row} data-current={isCurrent || undefined}>
      <div
        {...options.named(model.name)}
        role="gridcell"
        className={styles.model}
        aria-selected={isOneOfSeveral ? isChosen : isCurrent}
        aria-current={isOneOfSeveral ? undefined : isChosen}
        aria-describedby={describedBy}
        aria-disabled={reasonAgainst !== undefined}
        onClick={onChoose}
      >
        <span className={styles.title}>
          <bdi className={styles.label}>{label}</bdi>
          {isChosen && <CheckIcon size={14} />}
        </span>
        <span className={styles.note}>{reasonAgainst ?? warning ?? noteOf(model, text)}</span>
        <ModelFacts model={model} price={price} />
      </div>
      <div role="gridcell">
        <IconButton
          size="sm"
          className={styles.star}
          label={text('chat.modelFavourite', {model: label})}
          aria-pressed={isFavourite}
          tabIndex={-1}
          icon={isFavourite ? <StarFilledIcon /> : <StarIcon />}
          onClick={onToggle}
        />
      </div>
    </div>
  )
}
