import {Suspense, type RefObject} from 'react'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {LabelIcon} from '#ui/list-icons.tsx'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import frame from '../conversation-list.module.css'
import {ConversationRow, rowState, type RowSurroundings} from './conversation-row.tsx'
import type {Section} from './conversation-sections.ts'
import type {ListFilter} from './labels.ts'
import {LabelDot} from './list-menu.tsx'
import styles from './rows.module.css'

type RowSectionsProps = RowSurroundings & {
  sections: readonly Section[]
  filter: ListFilter
  onFilter: (filter: ListFilter) => void
  /** Opens the names of all labels. */
  onLabels: () => void
  scroller: RefObject<HTMLDivElement | null>
}

const WindowedConversations = lazyView(async () => (await import('./windowed-conversations.tsx')).WindowedConversations)

/** From this many rows on, only rows near the viewport are rendered. */
const windowedFrom = 200

/** The rows under the headings of their days, after what they are filtered by. */
export function RowSections(props: RowSectionsProps) {
  const {sections, filter, onFilter, onLabels} = props
  const text = useText()
  const count = sections.reduce((sum, {records}) => sum + records.length, 0)
  return (
    <>
      {filter.show !== 'all' && (
        <FilterNote filter={filter} onLabels={onLabels} onEnd={() => onFilter({show: 'all'})} />
      )}
      {count === 0 && (
        <p className={frame.empty}>
          {text(
            filter.show === 'archive'
              ? 'chat.archiveEmpty'
              : filter.show === 'label'
                ? 'chat.labelEmpty'
                : 'chat.listEmpty',
          )}
        </p>
      )}
      {count > windowedFrom ? (
        <Suspense>
          <WindowedConversations {...props} />
        </Suspense>
      ) : (
        sections.map((section) => (
          <section key={section.name} aria-label={text(`chat.${section.name}`)}>
            <h2 className={styles.heading}>{text(`chat.${section.name}`)}</h2>
            <ul>
              {section.records.map((record) => (
                <ConversationRow key={record.key} record={record} {...rowState(props, record)} />
              ))}
            </ul>
          </section>
        ))
      )}
    </>
  )
}

type FilterNoteProps = {filter: Exclude<ListFilter, {show: 'all'}>; onLabels: () => void; onEnd: () => void}

function FilterNote({filter, onLabels, onEnd}: FilterNoteProps) {
  const text = useText()
  return (
    <div className={styles.filter}>
      <span className={styles.filterName}>
        {filter.show === 'label' && <LabelDot label={filter.label} />}
        <bdi>{filter.show === 'label' ? filter.label : text('chat.archiveView')}</bdi>
      </span>
      {filter.show === 'label' && (
        <IconButton size="sm" label={text('chat.labelEdit')} icon={<LabelIcon size={14} />} onClick={onLabels} />
      )}
      <Button size="sm" variant="ghost" icon={<CloseIcon size={14} />} onClick={onEnd}>
        {text('chat.severalShowAll')}
      </Button>
    </div>
  )
}
