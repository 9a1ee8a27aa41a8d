import {takeTypedAhead} from '#browser/typed-ahead.ts'
import {useId, useState, type KeyboardEvent} from 'react'
import {IconButton} from '#ui/icon-button.tsx'
import {ChevronEndIcon, CloseIcon} from '#ui/icons.tsx'
import {SearchIcon} from '#ui/later-icons.tsx'
import {isComposing} from '#ui/is-composing.ts'
import {Kbd} from '#ui/kbd.tsx'
import optionStyles from '#ui/options/options.module.css'
import {OptionsField} from '#ui/options/options-field.tsx'
import {useOptions, type Options} from '#ui/options/use-options.ts'
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

/** Everything that can be done, by a few letters of its name (design.md §10). */
export function CommandPalette({groups, recent, isToggle, searchOf, onRun, onClose}: CommandPaletteProps) {
  const text = useText()
  const id = useId()
  const [query, setQuery] = useState('')
  const shownGroups = matchingCommands(groups, {query, recent, recentHeading: text('index.commandRecent')})
  const matches = shownGroups.flatMap((group) => group.entries)
  const search = query.trim() === '' ? undefined : searchOf?.(query.trim())
  const entries = [...matches, ...(search === undefined ? [] : [search])]
  const names = entries.map((entry) => entry.id)
  const options = useOptions(names, {page: 8})
  const current = entries.find((entry) => entry.id === options.current)
  const runAvailable = (entry: CommandEntry) => {
    if (entry.unavailable === undefined) onRun(entry)
  }
  const option = (entry: CommandEntry) => (
    <Option key={entry.id} options={options} entry={entry} onRun={() => runAvailable(entry)} />
  )
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return
    if (isToggle(event)) {
      // a repeat is of the press that opened it
      if (!event.repeat) onClose()
    } else if (event.key === 'Enter' && current !== undefined) runAvailable(current)
    else return void options.press(event)
    event.preventDefault()
  }
  return (
    <PaletteDialog title={text('index.palette')} onClose={onClose}>
      <div className={styles.head}>
        <SearchIcon />
        <OptionsField
          className={styles.field}
          label={text('index.commandSearch')}
          options={options}
          query={query}
          onQuery={setQuery}
          takeTyped={takeTypedAhead}
          onKeyDown={press}
        />
        <IconButton className={styles.close} label={text('common.close')} icon={<CloseIcon />} onClick={onClose} />
      </div>
      <p role="status" className={matches.length === 0 ? styles.none : 'visually-hidden'}>
        {matches.length === 0 ? text('index.commandNone') : text('index.commandCount', {count: entries.length})}
      </p>
      <div
        id={options.listId}
        className={optionStyles.list}
        role="listbox"
        aria-label={text('index.palette')}
        tabIndex={-1}
      >
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

type OptionProps = {options: Options; entry: CommandEntry; onRun: () => void}

function Option({options, entry: {id, label, icon, note, keys, unavailable}, onRun}: OptionProps) {
  return (
    <div
      {...options.named(id)}
      {...options.pointed(id)}
      role="option"
      className={styles.option}
      aria-selected={id === options.current}
      aria-disabled={unavailable !== undefined}
      onClick={onRun}
    >
      <span className={styles.icon}>{icon ?? <ChevronEndIcon />}</span>
      <span className={styles.words}>
        <bdi className={styles.label}>{label}</bdi>
        {unavailable !== undefined && <span className={styles.reason}>{unavailable}</span>}
      </span>
      {note !== undefined && <bdi className={styles.note}>{note}</bdi>}
      {keys !== undefined && keys !== '' && <Kbd keys={keys} />}
    </div>
  )
}
