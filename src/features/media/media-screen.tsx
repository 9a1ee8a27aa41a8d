import {useSelector} from '@xstate/react'
import {Suspense, useCallback, useEffect, useRef, useState, type ReactNode} from 'react'
import {createPortal} from 'react-dom'
import {selectIsSelecting} from '#machines/selection/selection.selectors.ts'
import {selectIsRead} from '#machines/tasks/tasks.selectors.ts'
import {Button} from '#ui/button.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery, wide} from '#ui/use-media-query.ts'
import {FeedFilters, FeedLooks, LayoutChoice} from './feed/feed-head.tsx'
import {FeedSkeleton, SentRequests} from './feed/feed-states.tsx'
import {selectTotal, type Card} from '#machines/task-list/task-list.selectors.ts'
import type {Jump} from './feed/feed.tsx'
import {Older} from './feed/older-cards.tsx'
import {refuseFiles} from './dragged-files.ts'
import {useMedia} from './media.context.ts'
import styles from './media-screen.module.css'
import feedStyles from './feed/feed.module.css'
import {loadGrid, loadSongs} from './result-lists.ts'
import {SandboxBadge} from './sandbox-badge.tsx'
import {SelectButton} from './select/select-button.tsx'
import {useLeaveWithScreen} from './select/use-selection.ts'
import {SettingsPanel} from './settings-panel.tsx'
import {SongColumnContext} from './songs/song-column.tsx'
import {useCards, useListState} from './use-cards.ts'
import {useFilter, useLayout} from './use-feed-view.ts'
import {useSelectForm} from './use-select-form.ts'

const Dock = lazyView(async () => (await import('./dock.tsx')).Dock)
const GridResults = lazyView(loadGrid)
const WithoutCards = lazyView(async () => (await import('./feed/without-cards.tsx')).WithoutCards)
const SongResults = lazyView(loadSongs)

/** Slots of the shell that the screen fills: the panel beside it and the head over it. */
export type MediaSlots = {panel: Element | null; head: Element | null}

export type MediaScreenProps = {
  slots: MediaSlots
  /** Changes the tool; stands over the settings, on phones in the head. */
  switcher: (isSmall: boolean) => ReactNode
  /** The task that the address names. */
  jump?: Jump | undefined
}

const usualRatios = {image: 1, video: 16 / 9, music: 1} as const

/** The screen of every media tool: settings in the panel or a docked prompt, results in the workspace. */
export function MediaScreen({slots, switcher, jump}: MediaScreenProps) {
  const media = useMedia()
  const text = useText()
  const isWide = useMediaQuery(wide)
  const isPhone = useMediaQuery(phone)
  const {actors, screen, identity} = media
  const cards = useCards()
  const total = useSelector(actors.list, selectTotal)
  const view = useFilter(cards, total, jump?.visit)
  const [layout, setLayout] = useLayout()
  const scroller = useRef<HTMLDivElement>(null)
  const isSongs = screen.results === 'songs'
  const [isDown, setDown] = useState(false)

  useLeaveWithScreen()
  const isSelecting = useSelector(actors.selection, selectIsSelecting)
  useFind(jump, cards)
  useScrollToSent(cards, scroller)
  const select = cards.length > 0 && <SelectButton />
  const filters = <FeedFilters filter={view.filter} counts={view.counts} onFilter={view.setFilter} />
  const title = text(isSongs ? 'common.mediaSongs' : 'common.mediaResults')
  const head = (
    <div className={feedStyles.head}>
      {isPhone ? switcher(true) : <h1 tabIndex={-1}>{title}</h1>}
      <SandboxBadge />
      {!isPhone && filters}
      {!isPhone && (
        <FeedLooks>
          {select}
          {!isSongs && <LayoutChoice layout={layout} onLayout={setLayout} />}
        </FeedLooks>
      )}
    </div>
  )
  return (
    <div className={styles.screen} onDragOver={refuseFiles} onDrop={refuseFiles}>
      {slots.head !== null && createPortal(head, slots.head)}
      {isWide && slots.panel !== null && createPortal(<SettingsPanel head={switcher(false)} />, slots.panel)}
      {isPhone && (
        <h1 className="visually-hidden" tabIndex={-1}>
          {identity.name}
        </h1>
      )}
      <ResultArea isSongs={isSongs}>
        <Results
          cards={view.shown}
          isFiltered={view.filter !== 'all'}
          onClear={view.clear}
          scroller={scroller}
          jump={jump}
          onScroll={setDown}
          before={
            <>
              {!isWide && !isPhone && <div className={styles.phoneHead}>{switcher(false)}</div>}
              {isPhone && cards.length > 0 && (
                <div className={styles.phoneHead}>
                  {filters}
                  {select}
                </div>
              )}
            </>
          }
          usualRatio={usualRatios[identity.group]}
        />
      </ResultArea>
      {!isWide && !isSelecting && (
        <Suspense>
          <Dock isSmall={isDown} />
        </Suspense>
      )}
    </div>
  )
}

/** Room for the column that songs have beside them (screens.md §3). */
const roomy = '(min-width: 1280px)'

/** The list, and beside songs the column that `SongColumn` fills. */
export function ResultArea({isSongs, children}: {isSongs: boolean; children: ReactNode}) {
  const text = useText()
  const {player} = useMedia()
  const prepare = isSongs ? player.prepare : undefined
  const hasColumn = useMediaQuery(roomy) && isSongs
  const [column, setColumn] = useState<Element | null>(null)
  return (
    <SongColumnContext value={hasColumn ? column : null}>
      <div className={styles.columns} data-detail={hasColumn || undefined} onPointerEnter={prepare} onFocus={prepare}>
        {children}
        {hasColumn && <aside ref={setColumn} className={styles.detail} aria-label={text('common.mediaSong')} />}
      </div>
    </SongColumnContext>
  )
}

/**
 * A task that the address names and that no card shows is asked for, once a visit. An effect does it, since only the
 * mounted screen has both the visit and the cards, among them those of requests that have no task yet.
 */
function useFind(jump: Jump | undefined, cards: readonly Card[]) {
  const {pages, lookup} = useMedia().actors
  const isRead = useSelector(pages, selectIsRead)
  const lastRequest = useRef<unknown>(undefined)
  useEffect(() => {
    if (jump === undefined || !isRead || lastRequest.current === jump.visit) return
    lastRequest.current = jump.visit
    if (cards.every(({id, key}) => id !== jump.task && key !== jump.task))
      lookup.send({type: 'task.find', id: jump.task})
  }, [jump, isRead, cards, lookup])
}

const isOnItsWay = ({state}: Card) => state === 'sending' || state === 'offline'

/** The sender of a request wants to see it: the feed goes to its top. Nothing else moves the view of the reader. */
function useScrollToSent(cards: readonly Card[], scroller: React.RefObject<HTMLDivElement | null>) {
  const newest = cards.find(isOnItsWay)?.key
  const lastSeen = useRef(newest)
  useEffect(() => {
    if (newest !== undefined && newest !== lastSeen.current) scroller.current?.scrollTo({top: 0})
    lastSeen.current = newest
  }, [newest, scroller])
}

/** A list that scrolls less than this keeps its dock: with a smaller one it would not scroll any more. */
const leastRoom = 280

type ResultsProps = {
  cards: readonly Card[]
  isFiltered: boolean
  onClear: () => void
  scroller: React.RefObject<HTMLDivElement | null>
  jump: Jump | undefined
  onScroll: (isDown: boolean) => void
  before: ReactNode
  usualRatio: number
}

function Results({cards, isFiltered, onClear, scroller, jump, onScroll, before, usualRatio}: ResultsProps) {
  const media = useMedia()
  const {status, needsSetUp, older} = useListState()
  const selectForm = useSelectForm()
  const lastTop = useRef(0)
  const {pages} = media.actors
  const onOlder = useCallback(() => pages.send({type: 'tasks.older'}), [pages])
  const isSongs = media.screen.results === 'songs'
  const skeleton = <FeedSkeleton ratio={usualRatio} />
  const content = () => {
    if (cards.length > 0) {
      const commonProps = {cards, scroller, older, onOlder, jump}
      const cardsOnTheWay = cards.filter(isOnItsWay)
      return (
        <Suspense
          fallback={cardsOnTheWay.length > 0 ? <SentRequests cards={cardsOnTheWay} ratio={usualRatio} /> : skeleton}
        >
          {isSongs ? <SongResults {...commonProps} /> : <GridResults {...commonProps} usualRatio={usualRatio} />}
        </Suspense>
      )
    }
    if (!isFiltered && !needsSetUp && status !== 'error' && status !== 'success') return skeleton
    return (
      <Suspense fallback={skeleton}>
        <WithoutCards
          isFiltered={isFiltered}
          onClear={onClear}
          older={<Older older={older} onOlder={onOlder} />}
          onFormShown={selectForm}
        />
      </Suspense>
    )
  }
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-songs={isSongs || undefined}
      onScroll={({currentTarget: {scrollTop, clientHeight, scrollHeight}}) => {
        const room = scrollHeight - clientHeight
        const distance = scrollTop - lastTop.current
        if (Math.abs(distance) < 12) return
        lastTop.current = scrollTop
        // the dock that became smaller has moved the end of the list, not the user
        if (distance < 0 && scrollTop >= room - 1) return
        onScroll(distance > 0 && scrollTop > 80 && room > leastRoom)
      }}
    >
      {before}
      {cards.length > 0 && status === 'error' && !needsSetUp && <StaleNote />}
      {content()}
    </div>
  )
}

/** Cached tasks show, and the server could not be asked. */
function StaleNote() {
  const text = useText()
  const {pages} = useMedia().actors
  return (
    <p className={feedStyles.note} role="status">
      {text('common.mediaStale')}
      <Button size="sm" onClick={() => pages.send({type: 'tasks.refresh'})}>
        {text('common.retry')}
      </Button>
    </p>
  )
}
