import {useId, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode} from 'react'
import {takeTypedAhead} from '#browser/typed-ahead.ts'
import type {KnownPrice} from '#domain/model-price.ts'
import {classNames} from '#ui/class-names.ts'
import {Kbd, shownKeys} from '#ui/kbd.tsx'
import optionStyles from '#ui/options/options.module.css'
import {OptionsField} from '#ui/options/options-field.tsx'
import {useOptions, type Options} from '#ui/options/use-options.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {isComposing} from '#ui/is-composing.ts'
import type {CarriedFile, ModelsOfOthers, OfferedModel, SeveralModels} from './model-catalogue.ts'
import {reasonOf} from './model-note.ts'
import styles from './model-list.module.css'
import {ModelRow} from './model-row.tsx'
import {matchingModels, type SearchWords} from './matching-models.ts'
import {refusalOfAll} from './model-refusal.ts'
import {sectionsOf} from './model-sections.ts'
import {refusalWords} from './refusal-words.ts'

export type ModelListProps = {
  models: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  onChoose: (model: OfferedModel) => void
  /** Models of other groups, below: the conversation goes on with them in a branch. */
  inBranch?: ModelsOfOthers | undefined
  /** Models of other groups, which only a search shows: choosing one opens a new chat. */
  elsewhere?: ModelsOfOthers | undefined
  /** Several can be chosen, of all groups. */
  several?: SeveralModels | undefined
  /** The files that go along with the question. */
  files?: readonly CarriedFile[] | undefined
  /** Names of models, the first marked one first. */
  favourites: readonly string[]
  onFavourite: (name: string, isOn: boolean) => void
  /** Words beside those on the screen by which models are found: English ones, and names in other letters. */
  searchWords: SearchWords
  /** The price of an answer of a model; undefined where the back end does not say. */
  priceOf: (name: string) => KnownPrice | undefined
  /** Below the models: what else belongs to the conversation. */
  foot?: ReactNode
}

/** The models of other groups, what is said of them, and whether only a search shows them. */
function othersOf({inBranch, elsewhere}: Pick<ModelListProps, 'inBranch' | 'elsewhere'>) {
  if (inBranch !== undefined) return {...inBranch, sentence: 'chat.modelsInBranch', needsQuery: false} as const
  return elsewhere && ({...elsewhere, sentence: 'chat.modelElsewhere', needsQuery: true} as const)
}

/** Returns the rules for each model: whether it is chosen, what speaks against it, what choosing and marking do. */
function useModelRules(props: ModelListProps) {
  const {chosen, onChoose, several, favourites, onFavourite, files = []} = props
  const others = othersOf(props)
  const text = useText()
  const {locale} = useLanguage()
  const isOther = (model: OfferedModel) => others?.models.includes(model) === true
  const isChosen = ({name}: OfferedModel) => several?.chosen.includes(name) ?? name === chosen?.name
  /** A model that is chosen can always be taken out again. */
  const reasonAgainst = (model: OfferedModel) =>
    several !== undefined && isChosen(model) ? undefined : (reasonOf(model.disabled, text) ?? several?.full)
  const warningOf = (model: OfferedModel) => {
    const refusal = refusalOfAll(isOther(model) ? (others?.files ?? []) : files, model)
    return refusal && refusalWords(text, locale, refusal, model)
  }
  const choose = (model: OfferedModel) => {
    if (isOther(model)) others?.onChoose(model)
    else if (reasonAgainst(model) === undefined) onChoose(model)
  }
  const isFavourite = ({name}: OfferedModel) => favourites.includes(name)
  const toggle = (model: OfferedModel) => onFavourite(model.name, !isFavourite(model))
  return {isChosen, reasonAgainst, warningOf, choose, isFavourite, toggle}
}

/** Models to search and choose from: what each takes and costs, favourites first. The focus stays in the field. */
export function ModelList(props: ModelListProps) {
  const {models, chosen, several, favourites, searchWords, priceOf, foot} = props
  const text = useText()
  const id = useId()
  const [query, setQuery] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  // a sheet ends at the bottom: one that shrank with what is found would take the field from under the finger
  const [unsearchedHeight, setUnsearchedHeight] = useState(0)
  const search = (next: string) => {
    if (query === '') setUnsearchedHeight(panel.current?.getBoundingClientRect().height ?? 0)
    setQuery(next)
  }
  // as: custom properties are not in the type of a style
  const style = {'--unsearched-height': query === '' ? '0px' : `${unsearchedHeight}px`} as CSSProperties
  const rules = useModelRules(props)
  const others = othersOf(props)
  const shownOthers = others?.needsQuery === true && query.trim() === '' ? undefined : others
  const matching = (some: readonly OfferedModel[] = []) => matchingModels(some, query, text, searchWords)
  const sections = sectionsOf(matching(models), favourites, text, several !== undefined, matching(shownOthers?.models))
  const firstOfOthers = sections.find(({isOfOthers}) => isOfOthers)
  const rows = sections.flatMap((section) => section.models)
  const names = rows.map(({name}) => name)
  const options = useOptions(names, {first: chosen?.name})
  const current = rows.find(({name}) => name === options.current)
  const isPriced = rows.some(({disabled, name}) => disabled === undefined && priceOf(name)?.kind === 'tokens')

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event) || current === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key !== 'Enter') return void options.press(event)
    event.preventDefault()
    if (event.shiftKey) rules.toggle(current)
    else rules.choose(current)
  }
  return (
    <div ref={panel} className={styles.panel} style={style}>
      <OptionsField
        className={styles.field}
        aria-haspopup="grid"
        aria-keyshortcuts="Shift+Enter"
        label={text('chat.modelSearch')}
        options={options}
        query={query}
        onQuery={search}
        takeTyped={takeTypedAhead}
        onKeyDown={press}
      />
      <div
        id={options.listId}
        className={classNames(optionStyles.list, styles.list)}
        role="grid"
        aria-label={text('chat.model')}
        aria-multiselectable={several !== undefined}
        tabIndex={-1}
      >
        {sections.map((section) => (
          <SectionRows
            key={section.id}
            {...{section, rules, options, priceOf}}
            sentenceId={`${id}-others`}
            sentence={section === firstOfOthers && others !== undefined ? text(others.sentence) : undefined}
            isOfSeveral={several !== undefined}
          />
        ))}
      </div>
      <p role="status" className={rows.length === 0 ? styles.none : 'visually-hidden'}>
        {rows.length === 0 ? text('chat.modelNone') : query === '' ? '' : text('chat.modelCount', {count: rows.length})}
      </p>
      {foot}
      {rows.length > 0 && (
        <p className={styles.foot}>
          {isPriced && <span>{text('chat.modelPriceUnit')}</span>}
          <span className={styles.keys}>
            <Kbd plain keys={shownKeys('Shift+↵')} /> {text('chat.modelFavourites')}
          </span>
        </p>
      )}
    </div>
  )
}

type SectionRowsProps = {
  section: ReturnType<typeof sectionsOf>[number]
  rules: ReturnType<typeof useModelRules>
  options: Options
  priceOf: ModelListProps['priceOf']
  /** The id of the sentence about models of other groups, which stands over the first of them. */
  sentenceId: string
  sentence: string | undefined
  isOfSeveral: boolean
}

function SectionRows(props: SectionRowsProps) {
  const {section, rules, options, priceOf, sentenceId, sentence, isOfSeveral} = props
  const text = useText()
  return (
    <div
      role="rowgroup"
      className={section.isOfOthers ? styles.other : section.isApart ? styles.apart : undefined}
      aria-label={section.label ?? text('chat.model')}
    >
      {sentence !== undefined && (
        <p id={sentenceId} className={styles.sentence} role="presentation">
          {sentence}
        </p>
      )}
      {section.label !== undefined && (
        <div className={styles.heading} role="presentation">
          {section.label}
        </div>
      )}
      {section.models.map((model) => (
        <ModelRow
          key={model.name}
          options={options}
          model={model}
          price={priceOf(model.name)}
          isChosen={rules.isChosen(model)}
          describedBy={section.isOfOthers && sentenceId}
          isOneOfSeveral={isOfSeveral}
          reasonAgainst={rules.reasonAgainst(model)}
          warning={rules.warningOf(model)}
          isFavourite={rules.isFavourite(model)}
          onChoose={() => rules.choose(model)}
          onToggle={() => rules.toggle(model)}
        />
      ))}
    </div>
  )
}
