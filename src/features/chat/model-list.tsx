import {useId, useState, type KeyboardEvent, type ReactNode} from 'react'
import type {KnownPrice} from '#domain/model-price.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {CheckIcon} from '#ui/icons.tsx'
import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {StarFilledIcon, StarIcon} from '#ui/star-icons.tsx'
import {useText} from '#ui/text.tsx'
import {isComposing} from '#ui/is-composing.ts'
import {shownLabel, type ModelsInBranch, type OfferedModel, type SeveralModels} from './model-catalogue.ts'
import {noteOf} from './model-lines.ts'
import {reasonOf} from './model-note.ts'
import styles from './model-list.module.css'
import {ModelFacts} from './model-facts.tsx'
import {matchingModels, type EnglishWords} from './matching-models.ts'
import {sectionsOf} from './model-sections.ts'
import {refusalOfFiles} from './unread-files.ts'

export type ModelListProps = {
  models: readonly OfferedModel[]
  chosen: OfferedModel | undefined
  onChoose: (model: OfferedModel) => void
  /** Models of other groups, below. */
  inBranch?: ModelsInBranch | undefined
  /** Several can be chosen, of all groups. */
  several?: SeveralModels | undefined
  /** Addresses of the files that go along with the question. */
  files?: readonly string[] | undefined
  /** Names of models, the first marked one first. */
  favourites: readonly string[]
  onFavourite: (name: string, isOn: boolean) => void
  /** English words, by which models are found in every language. */
  english: EnglishWords
  /** What an answer of a model costs; undefined where the back end does not say. */
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

/** Models to search and choose from: what each takes and costs, favourites first. The focus stays in the field. */
export function ModelList(props: ModelListProps) {
  const {
    models,
    chosen,
    onChoose,
    inBranch,
    several,
    favourites,
    onFavourite,
    english,
    files = [],
    priceOf,
    foot,
  } = props
  const text = useText()
  const id = useId()
  const [query, setQuery] = useState('')
  // by name: a model that becomes a favourite moves, and stays the current one
  const [active, setActive] = useState(chosen?.name)
  const all = [...models, ...(inBranch?.models ?? [])]
  const matching = (some: readonly OfferedModel[] = []) => matchingModels(some, query, text, english)
  const sections = sectionsOf(matching(models), favourites, text, several !== undefined, matching(inBranch?.models))
  const firstInBranch = sections.find(({isInBranch}) => isInBranch)
  const isOther = (model: OfferedModel) => inBranch?.models.includes(model) === true
  const rows = sections.flatMap((section) => section.models)
  const current = rows.find(({name}) => name === active) ?? rows[0]
  const isPriced = rows.some(({disabled, name}) => disabled === undefined && priceOf(name)?.kind === 'tokens')
  const cellId = ({name}: OfferedModel) => `${id}-${all.findIndex((model) => model.name === name)}`
  const isChosen = ({name}: OfferedModel) => several?.chosen.includes(name) ?? name === chosen?.name
  /** A model that is chosen can always be taken out again. */
  const reasonAgainst = (model: OfferedModel) =>
    several !== undefined && isChosen(model) ? undefined : (reasonOf(model.disabled, text) ?? several?.full)
  const noteOfFiles = (model: OfferedModel) => {
    const refusal = refusalOfFiles(isOther(model) ? (inBranch?.files ?? []) : files, model)
    if (refusal === undefined) return undefined
    return text(refusal === 'images' ? 'chat.imagesOnly' : 'chat.filesUnsupported', {model: shownLabel(model, text)})
  }
  const choose = (model: OfferedModel) => {
    if (isOther(model)) inBranch?.onChoose(model)
    else if (reasonAgainst(model) === undefined) onChoose(model)
  }
  const toggle = ({name}: OfferedModel) => onFavourite(name, !favourites.includes(name))

  const press = (event: KeyboardEvent) => {
    if (isComposing(event) || current === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const row = event.shiftKey ? undefined : rowFor(event.key, rows.indexOf(current), rows.length)
    if (row !== undefined) setActive(rows[row]?.name)
    else if (event.key !== 'Enter') return
    else if (event.shiftKey) toggle(current)
    else choose(current)
    event.preventDefault()
  }
  return (
    <div className={styles.panel}>
      <input
        className={styles.field}
        role="combobox"
        aria-expanded="true"
        aria-haspopup="grid"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={current && cellId(current)}
        aria-label={text('chat.modelSearch')}
        aria-keyshortcuts="Shift+Enter"
        placeholder={text('chat.modelSearch')}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value)
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
          <div
            key={section.id}
            role="rowgroup"
            className={section.isInBranch && styles.other}
            aria-label={section.label ?? text('chat.model')}
          >
            {section === firstInBranch && (
              <p id={`${id}-branch`} className={styles.branch} role="presentation">
                {text('chat.modelsInBranch')}
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
                isChosen={isChosen(model)}
                describedBy={section.isInBranch && `${id}-branch`}
                isOneOfSeveral={several !== undefined}
                reasonAgainst={reasonAgainst(model)}
                warning={noteOfFiles(model)}
                isFavourite={favourites.includes(model.name)}
                onPoint={() => setActive(model.name)}
                onChoose={() => choose(model)}
                onToggle={() => toggle(model)}
              />
            ))}
          </div>
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

type ModelRowProps = {
  id: string
  model: OfferedModel
  price: KnownPrice | undefined
  isCurrent: boolean
  isChosen: boolean
  isOneOfSeveral: boolean
  /** Id of what is said of its section. */
  describedBy: string | undefined
  /** Why it cannot be chosen. */
  reasonAgainst: string | undefined
  /** What speaks against it. */
  warning: string | undefined
  isFavourite: boolean
  onPoint: () => void
  onChoose: () => void
  onToggle: () => void
}

function ModelRow(props: ModelRowProps) {
  const {id, model, price, isCurrent, isChosen, isOneOfSeveral, reasonAgainst, warning, isFavourite} = props
  const {describedBy, onPoint, onChoose, onToggle} = props
  const text = useText()
  const label = shownLabel(model, text)
  return (
    <div
      role="row"
      className={styles.row}
      data-current={isCurrent || undefined}
      // the focus stays in the field
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={isCurrent ? undefined : onPoint}
    >
      <div
        id={id}
        ref={isCurrent ? showCurrent : undefined}
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

const showCurrent = (cell: HTMLElement | null) => cell?.scrollIntoView({block: 'nearest'})
