import {useId, useState, type KeyboardEvent, type ReactNode} from 'react'
import {takeTypedAhead} from '#browser/typed-ahead.ts'
import type {KnownPrice} from '#domain/model-price.ts'
import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {isComposing} from '#ui/is-composing.ts'
import type {CarriedFile, ModelsOfOthers, OfferedModel, SeveralModels} from './model-catalogue.ts'
import {reasonOf} from './model-note.ts'
import styles from './model-list.module.css'
import {ModelRow} from './model-row.tsx'
import {matchingModels, type EnglishWords} from './matching-models.ts'
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
  /** English words, by which models are found in every language. */
  english: EnglishWords
  /** The price of an answer of a model; undefined where the back end does not say. */
  priceOf: (name: string) => KnownPrice | undefined
  /** Below the models: what else belongs to the conversation. */
  foot?: ReactNode
}

const page = 5
/** The row to which a key leads; undefined for any other key. */
function rowFor(key: string, row: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (row + 1) % count
  if (key === 'ArrowUp') return (row - 1 + count) % count
  if (key === 'PageDown') return Math.min(count - 1, row + page)
  if (key === 'PageUp') return Math.max(0, row - page)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/** The models of other groups, what is said of them, and whether only a search shows them. */
function othersOf({inBranch, elsewhere}: Pick<ModelListProps, 'inBranch' | 'elsewhere'>) {
  if (inBranch !== undefined) return {...inBranch, sentence: 'chat.modelsInBranch', needsQuery: false} as const
  return elsewhere && ({...elsewhere, sentence: 'chat.modelElsewhere', needsQuery: true} as const)
}

/** Returns the rules for each model of a list: whether it is chosen, what speaks against it, what choosing and marking it do. */
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
  const {models, chosen, several, favourites, english, priceOf, foot} = props
  const text = useText()
  const id = useId()
  const [query, setQuery] = useState('')
  // by name: a model that becomes a favourite moves, and stays the current one
  const [active, setActive] = useState(chosen?.name)
  const rules = useModelRules(props)
  const others = othersOf(props)
  const shownOthers = others?.needsQuery === true && query.trim() === '' ? undefined : others
  const all = [...models, ...(shownOthers?.models ?? [])]
  const matching = (some: readonly OfferedModel[] = []) => matchingModels(some, query, text, english)
  const sections = sectionsOf(matching(models), favourites, text, several !== undefined, matching(shownOthers?.models))
  const firstOfOthers = sections.find(({isOfOthers}) => isOfOthers)
  const rows = sections.flatMap((section) => section.models)
  const current = rows.find(({name}) => name === active) ?? rows[0]
  const isPriced = rows.some(({disabled, name}) => disabled === undefined && priceOf(name)?.kind === 'tokens')
  const cellId = ({name}: OfferedModel) => `${id}-${all.findIndex((model) => model.name === name)}`

  const press = (event: KeyboardEvent) => {
    if (isComposing(event) || current === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const row = event.shiftKey ? undefined : rowFor(event.key, rows.indexOf(current), rows.length)
    if (row !== undefined) setActive(rows[row]?.name)
    else if (event.key !== 'Enter') return
    else if (event.shiftKey) rules.toggle(current)
    else rules.choose(current)
    event.preventDefault()
  }
  return (
    <div className={styles.panel}>
      <ModelSearch
        listId={`${id}-list`}
        currentId={current && cellId(current)}
        query={query}
        onQuery={(next) => {
          setQuery(next)
          setActive(undefined)
        }}
        onKeyDown={press}
      />
      <div
        id={`${id}-list`}
        className={styles.list}
        role="grid"
        aria-label={text('chat.model')}
        aria-multiselectable={several !== undefined}
        tabIndex={-1}
      >
        {sections.map((section) => (
          <SectionRows
            key={section.id}
            {...{section, rules, current, cellId, priceOf}}
            sentenceId={`${id}-others`}
            sentence={section === firstOfOthers && others !== undefined ? text(others.sentence) : undefined}
            isOfSeveral={several !== undefined}
            onPoint={setActive}
          />
        ))}
      </div>
      <p role="status" className={rows.length === 0 ? styles.none : 'visually-hidden'}>
        {rows.length === 0 ? text('chat.modelNone') : query === '' ? '' : text('chat.modelCount', {count: rows.length})}
      </p>
      {foot}
      <p className={styles.foot}>
        {isPriced && <span>{text('chat.modelPriceUnit')}</span>}
        <span className={styles.keys}>
          <Kbd plain keys={shownKeys('Shift+↵')} /> {text('chat.modelFavourites')}
        </span>
      </p>
    </div>
  )
}

type ModelSearchProps = {
  listId: string
  /** The id of the cell that the keys act on. */
  currentId: string | undefined
  query: string
  onQuery: (query: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The field that has the focus while keys go through the list. */
function ModelSearch({listId, currentId, query, onQuery, onKeyDown}: ModelSearchProps) {
  const text = useText()
  return (
    <input
      className={styles.field}
      role="combobox"
      aria-expanded="true"
      aria-haspopup="grid"
      aria-autocomplete="list"
      aria-controls={listId}
      aria-activedescendant={currentId}
      aria-label={text('chat.modelSearch')}
      aria-keyshortcuts="Shift+Enter"
      placeholder={text('chat.modelSearch')}
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="go"
      value={query}
      onFocus={() => {
        const typedText = takeTypedAhead()
        if (typedText !== '') onQuery(query + typedText)
      }}
      onChange={(event) => onQuery(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

type SectionRowsProps = {
  section: ReturnType<typeof sectionsOf>[number]
  rules: ReturnType<typeof useModelRules>
  current: OfferedModel | undefined
  cellId: (model: OfferedModel) => string
  priceOf: ModelListProps['priceOf']
  /** The id of the sentence about models of other groups, which stands over the first of them. */
  sentenceId: string
  sentence: string | undefined
  isOfSeveral: boolean
  onPoint: (name: string) => void
}

function SectionRows(props: SectionRowsProps) {
  const {section, rules, current, cellId, priceOf, sentenceId, sentence, isOfSeveral, onPoint} = props
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
          id={cellId(model)}
          model={model}
          price={priceOf(model.name)}
          isCurrent={model === current}
          isChosen={rules.isChosen(model)}
          describedBy={section.isOfOthers && sentenceId}
          isOneOfSeveral={isOfSeveral}
          reasonAgainst={rules.reasonAgainst(model)}
          warning={rules.warningOf(model)}
          isFavourite={rules.isFavourite(model)}
          onPoint={() => onPoint(model.name)}
          onChoose={() => rules.choose(model)}
          onToggle={() => rules.toggle(model)}
        />
      ))}
    </div>
  )
}
