import {useSelector} from '@xstate/react'
import {Suspense, useMemo, useRef, useState, type ComponentProps, type RefObject} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectActiveKey} from '#machines/conversation-list/conversation-list.selectors.ts'
import {
  selectIsCutOff,
  selectIsFilling,
  selectIsStale,
  selectOffersMarks,
} from '#machines/conversation-list/list-rows.selectors.ts'
import {Button} from '#ui/button.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import type {ChatActors, ChatLocation} from '../chat.context.tsx'
import {useToday} from '../use-today.ts'
import frame from '../conversation-list.module.css'
import {conversationSections} from './conversation-sections.ts'
import {EmptyList} from './empty-list.tsx'
import {LoadingRows} from './loading-rows.tsx'
import {filteredBy, filterNow, LabelColours, labelsOf, type ListFilter} from './labels.ts'
import {keptWith} from './kept-list-state.ts'
import {ListDialogs} from './list-dialogs.tsx'
import {ListMenu} from './list-menu.tsx'
import {RowSections, type RowSectionsProps} from './row-sections.tsx'
import {SearchField} from './search-field.tsx'
import {useEditedRow} from './use-edited-row.ts'
import {useListRequest} from './use-list-request.ts'
import {selectIsReading, useExport} from './use-export.ts'
import {useLabelColours} from './use-label-colours.ts'
import {useHeldOrder} from './use-held-order.ts'
import {useKeptScroll} from './use-kept-scroll.ts'
import {useOfferedImport} from './use-offered-import.ts'
import {useListActions} from './use-list-actions.ts'
import {useRowKeys} from './use-row-keys.ts'
import {useSearch, type ConversationSearch} from './use-search.ts'
import {useSelection} from './use-selection.ts'
import styles from './rows.module.css'

export type ConversationRowsProps = {
  actors: ChatActors
  location: ChatLocation
  /** All conversations of the device, and of them the group's, in any order. */
  all: readonly ConversationRecord[]
  records: readonly ConversationRecord[]
  /** Called on navigation, to close the drawer around the list. */
  onGo: (() => void) | undefined
}

/** For the rows below what is listed so far. */
const widths = ['72%', '54%', '63%']
const useKeptFilter = keptWith<ListFilter>({show: 'all'})

const SearchResults = lazyView(async () => (await import('./search-results.tsx')).SearchResults)

/** The conversations as the filter has them, by day, and their keys from top to bottom. */
function useSections(records: readonly ConversationRecord[], filter: ListFilter, activeKey: string | undefined) {
  const today = useToday()
  const editedRow = useEditedRow(records, filter)
  const heldOrder = useHeldOrder(editedRow.records, activeKey)
  const sections = useMemo(
    () => conversationSections(filteredBy(filter, heldOrder.records), today / 1_000),
    [filter, heldOrder.records, today],
  )
  const order = useMemo(() => sections.flatMap((section) => section.records.map(({key}) => key)), [sections])
  return {sections, order, listeners: heldOrder.listeners, edited: editedRow}
}

/** The labels there are, their colours, and the filter as far as its label still exists. */
function useFilteredLabels(all: readonly ConversationRecord[], chosenFilter: ListFilter) {
  const {locale} = useLanguage()
  const labels = useMemo(() => labelsOf(all, locale), [all, locale])
  const filter = useMemo(() => filterNow(chosenFilter, all), [chosenFilter, all])
  return {labels, filter, colours: useLabelColours(labels)}
}

/**
 * The conversations whose labels are chosen; undefined: the dialog is closed. It closes when none of them is listed any
 * more, and stays so when they are again; opened for none, it edits the labels themselves.
 */
function useLabelled(records: readonly ConversationRecord[]) {
  const [keys, setKeys] = useState<readonly string[]>()
  const isLeft = keys !== undefined && keys.length > 0 && !records.some(({key}) => keys.includes(key))
  if (isLeft) setKeys(undefined)
  return [isLeft ? undefined : keys, setKeys] as const
}

/** A group's conversations, or that there are none. The search stays while another group has some: it finds those. */
export const ConversationRows = (props: ConversationRowsProps) =>
  props.all.length === 0 ? (
    <div className={frame.scroller}>
      <EmptyList provisioning={props.actors.provisioning} />
    </div>
  ) : (
    <Rows {...props} />
  )

/** Search and menu above, then the rows by day, or what was found. */
function Rows({actors, location, all, records, onGo}: ConversationRowsProps) {
  const {conversations} = actors
  const scroller = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const search = useSearch(conversations, (query) => {
    if (field.current === null) return
    // the next key may come before React has written it
    field.current.value = query
    field.current.focus()
  })
  const [chosenFilter, {set: setFilter}] = useKeptFilter(conversations)
  useKeptScroll(scroller, conversations)
  const [labelledKeys, setLabelled] = useLabelled(records)
  const activeKey = useSelector(conversations, selectActiveKey)
  const offersMarks = useSelector(conversations, selectOffersMarks)
  const isReading = useSelector(conversations, selectIsReading)
  const {labels, filter, colours} = useFilteredLabels(all, chosenFilter)
  const {sections, order, listeners, edited} = useSections(records, filter, activeKey)
  const keys = useRowKeys(scroller, order, activeKey)
  const selection = useSelection(order, keys.focusRow)
  const exports = useExport(all)
  const startExport = exports.start
  const actions = useListActions({
    actors,
    location,
    listed: () => sections.flatMap((section) => section.records),
    activeKey,
    selection,
    onLabel: setLabelled,
    onExport: startExport,
  })
  useListRequest(conversations, 'archive', () => {
    if (search.query !== '') search.change('')
    selection.end()
    setFilter({show: 'archive'})
    keys.focusFirst()
  })
  const openImport = useOfferedImport(actors.provisioning)
  const editLabels = () => setLabelled([])
  return (
    <LabelColours value={colours}>
      <ListBar
        {...{field, search, selection, filter}}
        labels={offersMarks ? labels : undefined}
        onFilter={setFilter}
        onLabels={editLabels}
        onImport={openImport}
        onExportAll={isReading ? undefined : () => startExport(all.map(({key}) => key))}
      />
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
        <FoundOrListed
          {...{
            actors,
            search,
            all,
            records,
            sections,
            filter,
            activeKey,
            onGo,
            offersMarks,
            actions: {...actions, edited},
            scroller,
          }}
          group={location.group}
          stop={keys.stop}
          chosen={selection.keys}
          onFilter={setFilter}
          onLabels={editLabels}
        />
      </div>
      <ListDialogs
        {...{all, records, labels, actions, filter, order, selection, exported: exports, offersMarks, labelledKeys}}
        onFilter={setFilter}
        onClose={() => setLabelled(undefined)}
      />
    </LabelColours>
  )
}

type ListBarProps = Omit<ComponentProps<typeof ListMenu>, 'onSelect'> & {
  field: RefObject<HTMLInputElement | null>
  search: ConversationSearch
  selection: ReturnType<typeof useSelection>
}

/** The search field and the menu of the list. Another filter ends the selection. */
function ListBar({field, search, selection, onFilter, ...menu}: ListBarProps) {
  return (
    <div className={styles.bar} onKeyDown={selection.onKeyDown}>
      <SearchField ref={field} query={search.query} onChange={search.change} />
      <ListMenu
        {...menu}
        onFilter={(next) => {
          selection.end()
          onFilter(next)
        }}
        onSelect={() => selection.set([])}
      />
    </div>
  )
}

type FoundOrListedProps = RowSectionsProps & {search: ConversationSearch; all: readonly ConversationRecord[]}

/** The hits while the user searches, else the rows. */
function FoundOrListed({search: {query, actor}, all, ...rows}: FoundOrListedProps) {
  const {actors, records, group, onGo} = rows
  const text = useText()
  const isCutOff = useSelector(actors.conversations, selectIsCutOff)
  const isStale = useSelector(actors.conversations, selectIsStale)
  const isFilling = useSelector(actors.conversations, selectIsFilling)
  if (query.trim() !== '' && actor !== undefined) {
    return (
      <Suspense>
        <SearchResults actor={actor} actors={actors} records={all} group={group} onGo={onGo} />
      </Suspense>
    )
  }
  return (
    <>
      {(isCutOff || isStale) && (
        <div className={styles.note}>
          <p>{text(isCutOff ? 'chat.listKept' : 'chat.listStale')}</p>
          <Button size="sm" onClick={() => actors.conversations.send({type: 'conversations.refresh'})}>
            {text('common.retry')}
          </Button>
        </div>
      )}
      {records.length === 0 ? <EmptyList provisioning={actors.provisioning} /> : <RowSections {...rows} />}
      {isFilling && <LoadingRows widths={widths} className={styles.filling} />}
    </>
  )
}
