import {useSelector} from '@xstate/react'
import {fewestColumns, mostColumns, selectModels, type CompareActor} from '#machines/compare/compare.machine.ts'
import {useText, type MessageId} from '#ui/text.tsx'
import {shownLabel} from '../model-catalogue.ts'
import {noteOf} from '../model-lines.ts'
import {ModelAbilities} from '../model-facts.tsx'
import type {ComparedModel, ModelSection} from './compared-models.ts'
import styles from './compare.module.css'
import {PriceText} from './price-text.tsx'

const groupNames: Record<ModelSection['group'], MessageId> = {
  chatgpt: 'chat.chatgpt',
  deepseek: 'chat.deepseek',
  grok: 'chat.grok',
}

type ModelChoiceProps = {
  compare: CompareActor
  sections: readonly ModelSection[]
  /** Chosen, but left out of the question: they cannot take its files. */
  leftOut: readonly ComparedModel[]
  /** Chosen and asked. */
  asked: readonly ComparedModel[]
}

/** Two to four models of any group, each with its price. */
export function ModelChoice({compare, sections, leftOut, asked}: ModelChoiceProps) {
  const text = useText()
  const chosen = useSelector(compare, selectModels)
  const isFull = useSelector(compare, (snapshot) => snapshot.matches({choosing: 'full'}))
  const isScarce = sections.flatMap(({models}) => models).length < fewestColumns
  const line = isScarce
    ? 'compare.scarce'
    : isFull
      ? 'compare.full'
      : asked.length < fewestColumns
        ? 'compare.few'
        : undefined
  return (
    <>
      <div className={styles.choice}>
        {sections.map(({group, models}) => (
          <fieldset key={group} className={styles.group}>
            <legend className={styles.legend}>{text(groupNames[group])}</legend>
            {models.map((model) => (
              <Choice
                key={model.name}
                model={model}
                isChosen={chosen.includes(model.name)}
                isFull={isFull}
                onToggle={() => compare.send({type: 'model.toggle', model: model.name})}
              />
            ))}
          </fieldset>
        ))}
      </div>
      <div role="status" className={styles.count}>
        <p>
          {text('compare.chosen', {count: asked.length + leftOut.length, most: mostColumns})}
          {line !== undefined && ` · ${text(line)}`}
        </p>
        {leftOut.map((model) => (
          <p key={model.name} className={styles.warning}>
            {text('compare.leftOut', {model: shownLabel(model, text)})}
          </p>
        ))}
      </div>
    </>
  )
}

type ChoiceProps = {model: ComparedModel; isChosen: boolean; isFull: boolean; onToggle: () => void}

function Choice({model, isChosen, isFull, onToggle}: ChoiceProps) {
  const text = useText()
  return (
    <label className={styles.option} data-chosen={isChosen || undefined}>
      <input type="checkbox" checked={isChosen} disabled={isFull && !isChosen} onChange={onToggle} />
      <span className={styles.optionText}>
        <span className={styles.optionName}>
          <bdi>{shownLabel(model, text)}</bdi>
          <ModelAbilities model={model} />
        </span>
        <span className={styles.optionNote}>{noteOf(model, text)}</span>
        <span className={styles.optionPrice}>
          <PriceText price={model.cost} />
        </span>
      </span>
    </label>
  )
}
