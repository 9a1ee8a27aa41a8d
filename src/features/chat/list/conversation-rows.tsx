import {useSelector} from '@xstate/react'
import {Suspense, useMemo, useRef, useState} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {
  selectActiveKey,
  selectIsCutOff,
  selectOffersMarks,
} from '#machines/conversation-list/conversation-list.selectors.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {useChat, type ChatActors, type ChatPlace} from '../chat.context.tsx'
import frame from '../conversation-list.module.css'
import {conversationSections} from './conversation-sections.ts'
import {filteredBy, filterNow, LabelColours, labelsOf, movedFilter, type ListFilter} from './labels.ts'
import {ListMenu} from './list-menu.tsx'
import {RowSections} from './row-sections.tsx'
import {SearchField} from './search-field.tsx'
import {useExport} from './use-export.ts'
import {useLabelColours} from './use-label-colours.ts'
import {useHeldOrder} from './use-held-order.ts'
import {useListActions, type ListActions} from './use-list-actions.ts'
import {useRowKeys} from './use-row-keys.ts'
import {useSearch} from './use-search.ts'
import {useSelection} from './use-selection.ts'
import styles from './rows.module.css'

export type ConversationRowsProps = {
  actors: ChatActors
  place: ChatPlace
  /** All conversations of the device, and of them the group's, in any order. */
  all: readonly ConversationRecord[]
  records: readonly ConversationRecord[]
  /** Called on navigation, to close the drawer around the list. */
  onGo: (() => void) | undefined
}

const SearchResults = lazyView(async () => (await import('./search-results.tsx')).SearchResults)
const SeveralBar = lazyView(async () => (await import('./several-bar.tsx')).SeveralBar)
const ExportDialog = lazyView(async () => (await import('./export-dialog.tsx')).ExportDialog)
const LabelsDialog = lazyView(async () => (await import('./labels-dialog.tsx')).LabelsDialog)

/** The conversations as the filter has them, by day, and their keys from top to bottom. */
function useSections(records: readonly ConversationRecord[], filter: ListFilter, activeKey: string | undefined) {
  const {now} = useChat()
  const held = useHeldOrder(records, activeKey)
  const sections = useMemo(
    () => conversationSections(filteredBy(filter, held.records), now()),
    [filter, held.records, now],
  )
  const order = useMemo(() => sections.flatMap((section) => section.records.map(({key}) => key)), [sections])
  return {sections, order, listeners: held.listeners}
}

type LabellingProps = Pick<ConversationRowsProps, 'records' | 'all'> & {
  /** Of the conversations whose labels are chosen; none: the labels themselves are edited. */
  keys: readonly string[]
  labels: ReturnType<typeof labelsOf>
  actions: ListActions
  filter: ListFilter
  onFilter: (filter: ListFilter) => void
  onClose: () => void
}

/** The dialog of the labels. A list that shows one label follows it to its new name. */
function Labelling({records, all, keys, labels, actions, filter, onFilter, onClose}: LabellingProps) {
  return (
    <LabelsDialog
      records={records.filter(({key}) => keys.includes(key))}
      all={all}
      labels={labels}
      onChange={actions.onMark}
      onOfferBack={actions.onOfferBack}
      onMove={(label, to) => onFilter(movedFilter(filter, {label, to, labels}))}
      onSave={(changes) => {
        actions.onMark(changes, 'chat.labelDone')
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** A group's conversations: search and menu above, then the rows by day, or what was found. */
export function ConversationRows({actors, place, all, records, onGo}: ConversationRowsProps) {
  const {conversations} = actors
  const {locale} = useLanguage()
  const text = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const {query, actor, change} = useSearch(conversations, () => field.current?.focus())
  const [chosenFilter, setFilter] = useState<ListFilter>({show: 'all'})
  const [labelled, setLabelled] = useState<readonly string[]>()
  const activeKey = useSelector(conversations, selectActiveKey)
  const isCutOff = useSelector(conversations, selectIsCutOff)
  const offersMarks = useSelector(conversations, selectOffersMarks)
  const labels = useMemo(() => labelsOf(all, locale), [all, locale])
  const filter = useMemo(() => filterNow(chosenFilter, labels), [chosenFilter, labels])
  const colours = useLabelColours(labels)
  const {sections, order, listeners} = useSections(records, filter, activeKey)
  const keys = useRowKeys(scroller, order, activeKey)
  const selection = useSelection(order, keys.focusRow)
  const exported = useExport(all)
  const actions = useListActions({
    actors,
    place,
    sections,
    activeKey,
    selection,
    onLabel: setLabelled,
    onExport: exported.start,
  })
  const chosen = records.filter(({key}) => selection.keys?.has(key) === true)
  const isSearching = query.trim() !== '' && actor !== undefined
  return (
    <LabelColours value={colours}>
      <div className={styles.bar} onKeyDown={selection.onKeyDown}>
        <SearchField ref={field} query={query} onChange={change} />
        <ListMenu
          filter={filter}
          labels={offersMarks ? labels : undefined}
          onFilter={(next) => {
            selection.end()
            setFilter(next)
          }}
          onSelect={() => selection.set([])}
          onLabels={() => setLabelled([])}
          onExportAll={() => exported.start(all.map(({key}) => key))}
        />
      </div>
      <div
        ref={scroller}
        className={frame.scroller}
        {...listeners}
        onFocus={(event) => {
          listeners.onFocus()
          keys.onFocus(event)
        }}
        onKeyDown={(event) => {
          keys.onKeyDown(event)
          selection.onKeyDown(event)
        }}
      >
        {isCutOff && !isSearching && <p className={styles.note}>{text('chat.listKept')}</p>}
        {isSearching ? (
          <Suspense>
            <SearchResults actor={actor} actors={actors} records={all} group={place.group} onGo={onGo} />
          </Suspense>
        ) : (
          <RowSections
            {...{actors, records, sections, filter, activeKey, onGo, offersMarks, actions, scroller}}
            group={place.group}
            stop={keys.stop}
            chosen={selection.keys}
            onFilter={setFilter}
            onLabels={() => setLabelled([])}
          />
        )}
      </div>
      <Suspense>
        {selection.keys !== undefined && (
          <SeveralBar
            records={chosen}
            selection={selection}
            order={order}
            offersMarks={offersMarks}
            actions={actions}
          />
        )}
        {exported.current !== undefined && <ExportDialog {...exported.current} onClose={exported.close} />}
        {labelled !== undefined && (
          <Labelling
            {...{records, all, labels, actions, filter}}
            keys={labelled}
            onFilter={setFilter}
            onClose={() => setLabelled(undefined)}
          />
        )}
      </Suspense>
    </LabelColours>
  )
}
