import {useSelector} from '@xstate/react'
import {Suspense} from 'react'
import {waitForField} from '#browser/typed-ahead.ts'
import {modelGroupNames} from '#contract/models.ts'
import {fewestColumns, mostColumns, selectModels, type CompareActor} from '#machines/compare/compare.machine.ts'
import {buttonClass} from '#ui/button-class.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {ChevronDownIcon, CloseIcon} from '#ui/icons.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {useOverlay} from '#ui/use-overlay.ts'
import {useChat} from '../chat.context.tsx'
import {ModelAbilities, ModelPrice} from '../model-facts.tsx'
import {noteOf} from '../model-lines.ts'
import {isUsable, labelBeside, type ComparedModel} from './compared-models.ts'
import {leftOutWords, type LeftOut} from './left-out.ts'
import styles from './chosen-models.module.css'
import page from './compare.module.css'

type ChosenModelsProps = {
  compare: CompareActor
  /** All models, also those that cannot be chosen. */
  models: readonly ComparedModel[]
  /** Chosen and asked. */
  asked: readonly ComparedModel[]
  /** Chosen, but left out of the question: they cannot take its files. */
  leftOut: readonly LeftOut[]
}

/** The two to four models that are asked, each with its price, and the list to choose them from. */
export function ChosenModels({compare, models, asked, leftOut}: ChosenModelsProps) {
  const text = useText()
  const {locale} = useLanguage()
  const {threadWords, ModelChoice, loadModelChoice} = useChat()
  const {open, mounted, close, trigger} = useOverlay('dialog', () => {
    threadWords.loadAhead().catch(() => undefined)
    void loadModelChoice()
  })
  const names = useSelector(compare, selectModels)
  const isFull = useSelector(compare, (snapshot) => snapshot.matches({choosing: 'full'}))
  const chosenModels = names.flatMap((name) => models.find((model) => model.name === name) ?? [])
  const toggle = ({name}: {name: string}) => compare.send({type: 'model.toggle', model: name})
  const count = text('compare.chosen', {count: names.length, most: mostColumns})
  const lacks: MessageId | undefined =
    models.filter(isUsable).length < fewestColumns
      ? 'compare.scarce'
      : asked.length < fewestColumns
        ? 'compare.few'
        : undefined
  const status = lacks === undefined ? count : `${count} · ${text(lacks)}`
  return (
    <div className={styles.choice}>
      <div className={styles.choiceHead}>
        {/* the open list says it */}
        <div role={open ? undefined : 'status'} className={styles.count}>
          <p>{status}</p>
          {leftOut.map(({model, refusal}) => (
            <p key={model.name} className={page.warning}>
              {leftOutWords(text, locale, refusal, labelBeside(model, chosenModels, text))}
            </p>
          ))}
        </div>
        <button
          {...trigger}
          type="button"
          className={buttonClass('outline', 'md')}
          onClick={() => {
            if (!open) waitForField()
            trigger.onClick()
          }}
        >
          {text('compare.choose')}
          <ChevronDownIcon size={14} />
        </button>
      </div>
      <ul className={styles.models}>
        {chosenModels.map((model) => (
          <ChosenModel
            key={model.name}
            model={model}
            label={labelBeside(model, chosenModels, text)}
            onRemove={() => {
              toggle(model)
              // the button that had the focus is gone
              trigger.ref.current?.focus()
            }}
          />
        ))}
      </ul>
      {mounted && (
        <Suspense>
          <ModelChoice
            models={models}
            chosen={undefined}
            several={{chosen: names, full: isFull ? text('compare.full') : undefined, status}}
            onChoose={toggle}
            open={open}
            onClose={close}
            anchor={trigger.ref}
          />
        </Suspense>
      )}
    </div>
  )
}

/** `label` tells it from the other chosen models. */
function ChosenModel({model, label, onRemove}: {model: ComparedModel; label: string; onRemove: () => void}) {
  const text = useText()
  return (
    <li className={styles.model}>
      <p className={styles.modelGroup}>{modelGroupNames[model.group]}</p>
      <p className={styles.modelName}>
        <bdi>{label}</bdi>
      </p>
      <p className={isUsable(model) ? styles.modelNote : page.warning}>{noteOf(model, text)}</p>
      <ModelAbilities model={model} />
      {isUsable(model) && (
        <p className={styles.modelNote}>
          <ModelPrice price={model.cost} isWhole />
        </p>
      )}
      <IconButton
        size="sm"
        className={styles.remove}
        label={text('compare.remove', {model: label})}
        icon={<CloseIcon size={14} />}
        onClick={onRemove}
      />
    </li>
  )
}
