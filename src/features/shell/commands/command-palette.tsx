import {takeTypedAhead} from '#browser/typed-ahead.ts'
import {useId, useState, type KeyboardEvent} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {ChevronEndIcon, CloseIcon} from '#ui/icons.tsx'
import {SearchIcon} from '#ui/later-icons.tsx'
import {isComposing} from '#ui/is-composing.ts'
import {Kbd} from '#ui/kbd.tsx'
import {PaletteDialog} from '#ui/overlays/palette-dialog.tsx'
import {useText} from '#ui/text.tsx'
import type {CommandEntry, CommandGroup} from './command-entry.ts'
import styles from './command-palette.module.css'
import {matchingCommands} from './matching-commands.ts'

type CommandPaletteProps = {
  groups: readonly CommandGroup[]
  /** Ids, the last used first. */
  recent: readonly string[]
  /** Keys that close it as they opened it. */
  isToggle: (event: KeyboardEvent) => boolean
  /** Searches elsewhere for what is typed; it comes last. */
  searchOf?: ((query: string) => CommandEntry) | undefined
  onRun: (entry: CommandEntry) => void
  onClose: () => void
}

const steps: Partial<Record<string, number>> = {ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8}

/** One step goes round, a page stops at the end. */
function stepped(position: number, step: number, count: number): number {
  const next = position + step
  return Math.abs(step) === 1 ? (next + count) % count : Math.max(0, Math.min(count - 1, next))
}

/** Everything that can be done, by a few letters of its name (design.md §10). */
export function CommandPalette({groups, recent, isToggle, searchOf, onRun, onClose}: CommandPaletteProps) {
  const text = useText()
  const id = useId()
  const [query, setQuery] = useState('')
  const [position, setPosition] = useState(0)
  const shownGroups = matchingCommands(groups, {query, recent, recentHeading: text('index.commandRecent')})
  const matches = shownGroups.flatMap((group) => group.entries)
  const search = query.trim() === '' ? undefined : searchOf?.(query.trim())
  const entries = [...matches, ...(search === undefined ? [] : [search])]
  const current = entries[Math.min(position, entries.length - 1)]
  const optionId = (entry: CommandEntry) => `${id}-${entries.indexOf(entry)}`
  const option = (entry: CommandEntry) => (
    <Option
      key={entry.id}
      id={optionId(entry)}
      entry={entry}
      isCurrent={entry === current}
      onPoint={() => setPosition(entries.indexOf(entry))}
      onRun={() => onRun(entry)}
    />
  )
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    const step = steps[event.key]
    if (isToggle(event)) onClose()
    else if (event.key === 'Enter' && current !== undefined) onRun(current)
    else if (step !== undefined && entries.length > 0) setPosition(stepped(position, step, entries.length))
    else return
    event.preventDefault()
  }
  return (
    <PaletteDialog title={text('index.palette')} onClose={onClose}>
      <div className={styles.head}>
        <SearchIcon />
        <QueryField
          query={query}
          list={`${id}-list`}
          option={current && optionId(current)}
          onChange={(next) => {
            setQuery(next)
            setPosition(0)
          }}
          onKeyDown={press}
          onFocus={() => {
            const typedText = takeTypedAhead()
            setQuery((previous) => previous + typedText)
          }}
        />
        <IconButton className={styles.close} label={text('common.close')} icon={<CloseIcon />} onClick={onClose} />
      </div>
      <p role="status" className={matches.length === 0 ? styles.none : 'visually-hidden'}>
        {matches.length === 0 ? text('index.commandNone') : text('index.commandCount', {count: entries.length})}
      </p>
      <div id={`${id}-list`} className={styles.list} role="listbox" aria-label={text('index.palette')} tabIndex={-1}>
        {shownGroups.map((group) => (
          <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
            <div id={`${id}-${group.id}`} className={styles.heading}>
              {group.heading}
            </div>
            {group.entries.map(option)}
          </div>
        ))}
        {search !== undefined && (
          <div role="group" aria-label={search.label}>
            {option(search)}
          </div>
        )}
      </div>
    </PaletteDialog>
  )
}

type QueryFieldProps = {
  query: string
  /** Ids of the list, and of the option that Enter runs. */
  list: string
  option: string | undefined
  onChange: (query: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  onFocus: () => void
}

/** The field keeps the focus; arrows move through the list below it. */
function QueryField({query, list, option, onChange, ...listeners}: QueryFieldProps) {
  const text = useText()
  return (
    <input
      className={styles.field}
      role="combobox"
      aria-expanded="true"
      aria-autocomplete="list"
      aria-controls={list}
      aria-activedescendant={option}
      aria-label={text('index.commandSearch')}
      placeholder={text('index.commandSearch')}
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="go"
      value={query}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...listeners}
    />
  )
}

type OptionProps = {id: string; entry: CommandEntry; isCurrent: boolean; onPoint: () => void; onRun: () => void}

function Option({id, entry: {label, icon, note, keys}, isCurrent, onPoint, onRun}: OptionProps) {
  return (
    <div
      id={id}
      ref={isCurrent ? showCurrent : undefined}
      role="option"
      className={styles.option}
      aria-selected={isCurrent}
      // the focus stays in the field
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={isCurrent ? undefined : onPoint}
      onClick={onRun}
    >
      <span className={styles.icon}>{icon ?? <ChevronEndIcon />}</span>
      <bdi className={styles.label}>{label}</bdi>
      {note !== undefined && <bdi className={styles.note}>{note}</bdi>}
      {keys !== undefined && keys !== '' && <Kbd keys={keys} />}
    </div>
  )
}

const showCurrent = (option: HTMLElement | null) => option?.scrollIntoView({block: 'nearest'})
