import {shallowEqual, useSelector} from '@xstate/react'
import {Suspense, useMemo, type RefObject} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectAnswering, selectUnread} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {LabelIcon} from '#ui/list-icons.tsx'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import type {ChatActors} from '../chat.context.tsx'
import frame from '../conversation-list.module.css'
import {ConversationRow, rowState, type RowSurroundings} from './conversation-row.tsx'
import type {ConversationSection} from './conversation-sections.ts'
import type {ListFilter} from './labels.ts'
import {LabelMark} from './list-menu.tsx'
import {modelNotes} from './model-notes.ts'
import {useHeldLayout} from './use-held-layout.ts'
import styles from './rows.module.css'

export type RowSectionsProps = Omit<RowSurroundings, 'answering' | 'unread' | 'notes'> & {
  actors: ChatActors
  /** All of the group. */
  records: readonly ConversationRecord[]
  sections: readonly ConversationSection[]
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
export function RowSections({actors, records, onFilter, onLabels, ...rest}: RowSectionsProps) {
  const {sections, filter} = rest
  const text = useText()
  const answering = useSelector(actors.conversations, selectAnswering, shallowEqual)
  const unread = useSelector(actors.conversations, selectUnread, shallowEqual)
  const servedModels = useSelector(actors.provisioning, selectServedModels)
  const notes = useMemo(() => modelNotes(records, servedModels), [records, servedModels])
  const rows = {...rest, answering, unread, notes}
  const count = sections.reduce((sum, {records}) => sum + records.length, 0)
  const {isWindowed, listeners} = useHeldLayout(count > windowedFrom)
  return (
    <>
      {filter.show !== 'all' && (
        <FilterNote filter={filter} onLabels={onLabels} onEnd={() => onFilter({show: 'all'})} />
      )}
      {count === 0 && <NoRows filter={filter} hasArchive={records.length > 0} onFilter={onFilter} />}
      <div {...listeners}>
        {isWindowed ? (
          <Suspense>
            <WindowedConversations {...rows} />
          </Suspense>
        ) : (
          sections.map((section) => (
            <section key={section.name} aria-label={text(`chat.${section.name}`)}>
              <h2 className={styles.heading}>{text(`chat.${section.name}`)}</h2>
              <ul>
                {section.records.map((record) => (
                  <ConversationRow key={record.key} record={record} {...rowState(rows, record)} />
                ))}
              </ul>
            </section>
          ))
        )}
      </div>
    </>
  )
}

type NoRowsProps = Pick<RowSectionsProps, 'filter' | 'onFilter'> & {
  /** There are conversations, and the filter shows none of them. */
  hasArchive: boolean
}

/** Why there is no row; where all conversations are archived, the way to them. */
function NoRows({filter, hasArchive, onFilter}: NoRowsProps) {
  const text = useText()
  if (filter.show !== 'all' || !hasArchive) {
    const textId =
      filter.show === 'archive' ? 'chat.archiveEmpty' : filter.show === 'label' ? 'chat.labelEmpty' : 'chat.listEmpty'
    return <p className={frame.empty}>{text(textId)}</p>
  }
  return (
    <>
      <p className={frame.empty}>{text('chat.archiveHasAll')}</p>
      <Button size="sm" variant="ghost" className={styles.import} onClick={() => onFilter({show: 'archive'})}>
        {text('chat.archiveOpen')}
      </Button>
    </>
  )
}

type FilterNoteProps = {filter: Exclude<ListFilter, {show: 'all'}>; onLabels: () => void; onEnd: () => void}

function FilterNote({filter, onLabels, onEnd}: FilterNoteProps) {
  const text = useText()
  return (
    <div className={styles.filter}>
      <span className={styles.filterName}>
        {filter.show === 'label' && <LabelMark label={filter.label} />}
        <bdi title={filter.show === 'label' ? filter.label : undefined}>
          {filter.show === 'label' ? filter.label : text('chat.archiveView')}
        </bdi>
      </span>
      {filter.show === 'label' && (
        <IconButton size="sm" label={text('chat.labelEdit')} icon={<LabelIcon size={14} />} onClick={onLabels} />
      )}
      <IconButton size="sm" label={text('chat.severalShowAll')} icon={<CloseIcon size={14} />} onClick={onEnd} />
    </div>
  )
}
