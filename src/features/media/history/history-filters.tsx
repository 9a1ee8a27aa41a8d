import {useState, type ReactNode} from 'react'
import {Button} from '#ui/button.tsx'
import {Drawer} from '#ui/drawer.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {SlidersIcon} from '#ui/media-icons.tsx'
import {useText} from '#ui/text.tsx'
import {FeedFilters, filterText} from '../feed/feed-head.tsx'
import type {useFilter} from '../use-feed-view.ts'
import styles from './history.module.css'

/** Days as date fields give them, and words of the prompt; empty where not asked for. */
export type Range = {from: string; to: string; words: string}
export const noRange: Range = {from: '', to: '', words: ''}

type FieldsProps = {range: Range; onChange: (change: Partial<Range>) => void}

function Fields({range, onChange}: FieldsProps) {
  const text = useText()
  return (
    <>
      <label>
        {text('common.mediaFrom')}
        <input
          type="date"
          value={range.from}
          max={range.to}
          onChange={(event) => onChange({from: event.currentTarget.value})}
        />
      </label>
      <label>
        {text('common.mediaTo')}
        <input
          type="date"
          value={range.to}
          min={range.from}
          onChange={(event) => onChange({to: event.currentTarget.value})}
        />
      </label>
      <label>
        {text('common.mediaSearchPrompts')}
        <input
          type="search"
          dir="auto"
          value={range.words}
          onChange={(event) => onChange({words: event.currentTarget.value})}
        />
      </label>
    </>
  )
}

type HistoryFiltersProps = FieldsProps & {onClear: (() => void) | undefined; note: ReactNode}

/** The fields in a row above the results. */
export function HistoryFilters({onClear, note, ...fields}: HistoryFiltersProps) {
  const text = useText()
  return (
    <form className={styles.row} role="search" onSubmit={(event) => event.preventDefault()}>
      <Fields {...fields} />
      {onClear !== undefined && (
        <Button size="sm" variant="ghost" onClick={onClear}>
          {text('common.mediaClearFilters')}
        </Button>
      )}
      {note}
    </form>
  )
}

type PhoneFiltersProps = HistoryFiltersProps & {
  view: Pick<ReturnType<typeof useFilter>, 'filter' | 'counts' | 'setFilter'>
  /** How the list is looked at. */
  looks: ReactNode
}

/** Phones: the fields stand in a sheet; above the results only what is asked for, each as a chip that takes it back. */
export function PhoneFilters({view, looks, onClear, note, range, onChange}: PhoneFiltersProps) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <div className={styles.phone}>
      <div className={styles.bar}>
        <Button size="sm" icon={<SlidersIcon size={14} />} onClick={() => setOpen(true)}>
          {text('common.mediaFilter')}
        </Button>
        {looks}
      </div>
      {onClear !== undefined && (
        <div className={styles.chips}>
          {view.filter !== 'all' && (
            <Active name={text(filterText[view.filter])} onRemove={() => view.setFilter('all')} />
          )}
          {range.from !== '' && (
            <Active name={`${text('common.mediaFrom')} ${range.from}`} onRemove={() => onChange({from: ''})} />
          )}
          {range.to !== '' && (
            <Active name={`${text('common.mediaTo')} ${range.to}`} onRemove={() => onChange({to: ''})} />
          )}
          {range.words !== '' && <Active name={range.words} onRemove={() => onChange({words: ''})} />}
          <Button size="sm" variant="ghost" onClick={onClear}>
            {text('common.mediaClearFilters')}
          </Button>
        </div>
      )}
      {note}
      <Drawer open={isOpen} onClose={close} side="bottom" title={text('common.mediaFilter')}>
        <form
          className={styles.sheet}
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            close()
          }}
        >
          <FeedFilters filter={view.filter} counts={view.counts} onFilter={view.setFilter} />
          <Fields range={range} onChange={onChange} />
          <Button type="submit" variant="primary">
            {text('common.close')}
          </Button>
        </form>
      </Drawer>
    </div>
  )
}

function Active({name, onRemove}: {name: string; onRemove: () => void}) {
  const text = useText()
  return (
    <button type="button" className={styles.active} aria-label={text('common.mediaRemove', {name})} onClick={onRemove}>
      <bdi>{name}</bdi>
      <CloseIcon size={14} />
    </button>
  )
}
