import {useSelector} from '@xstate/react'
import {useCallback, useMemo, useRef, useState, type ReactNode} from 'react'
import {createPortal} from 'react-dom'
import {selectDays} from '#machines/tasks/tasks.selectors.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {EmptyState} from '#ui/empty-state.tsx'
import {ErrorState} from '#ui/error-state.tsx'
import {useText} from '#ui/text.tsx'
import {useMediaQuery, phone} from '#ui/use-media-query.ts'
import {selectTotal, type Card} from '#machines/task-list/task-list.selectors.ts'
import {FeedFilters, FeedLooks, LayoutChoice} from '../feed/feed-head.tsx'
import {FeedSkeleton} from '../feed/feed-states.tsx'
import {NothingMatches} from '../feed/without-cards.tsx'
import {Older} from '../feed/older.tsx'
import {GridResults} from '../grid-results.tsx'
import {useMedia} from '../media.context.ts'
import {ResultArea, type MediaSlots} from '../media-screen.tsx'
import {SandboxBadge} from '../sandbox-badge.tsx'
import {SelectButton} from '../select/select-button.tsx'
import {useLeaveWithScreen} from '../select/use-selection.ts'
import {SetUpStep} from '../set-up-step.tsx'
import {SongResults} from '../songs/song-results.tsx'
import {useCards, useListState, useOpenList} from '../use-cards.ts'
import {useFilter, useLayout} from '../use-feed-view.ts'
import feedStyles from '../feed/feed.module.css'
import styles from '../media-screen.module.css'
import {HistoryFilters, noRange, PhoneFilters, type Range} from './history-filters.tsx'
import historyStyles from './history.module.css'

/** Unix seconds of the beginning of a local day, as a date field gives it, or of one some days `later`. */
const startOf = (day: string, later = 0): number | undefined => {
  const start = new Date(`${day}T00:00:00`)
  // by the calendar: a day on which the clock changes has 23 hours, or 25
  const time = start.setDate(start.getDate() + later)
  return Number.isNaN(time) ? undefined : time / 1_000
}

/** Cards of these days whose prompt, or a title of what they made, has these words, in any case. */
export function matching(cards: readonly Card[], {from, to, words}: Range): readonly Card[] {
  const [first, end] = [startOf(from), startOf(to, 1)]
  const wanted = words.trim().toLowerCase()
  if (first === undefined && end === undefined && wanted === '') return cards
  return cards.filter(
    ({at, prompt, reading}) =>
      (first === undefined || at >= first) &&
      (end === undefined || at < end) &&
      (wanted === '' ||
        [prompt, ...reading.artifacts.map(({title = ''}) => title)].some((words) =>
          words.toLowerCase().includes(wanted),
        )),
  )
}

type HistoryScreenProps = {slots: MediaSlots; switcher: (isSmall: boolean) => ReactNode; title: string}

/** Everything that was made with a tool, at full width, to be looked through by day, state and words (screens.md §4). */
export function HistoryScreen({slots, switcher, title}: HistoryScreenProps) {
  const media = useMedia()
  const text = useText()
  const isPhone = useMediaQuery(phone)
  const {actors, identity, screen, navigation} = media
  const cards = useCards()
  const total = useSelector(actors.list, selectTotal)
  const [range, setRange] = useState(noRange)
  const inRange = useMemo(() => matching(cards, range), [cards, range])
  const view = useFilter(inRange, range === noRange ? total : inRange.length)
  const {status, needsSetUp, ...listed} = useListState()
  const found = useSelector(actors.days, selectDays)
  const hasDays = range.from !== '' || range.to !== ''
  const older = hasDays ? found : listed.older
  const [layout, setLayout] = useLayout()
  const scroller = useRef<HTMLDivElement>(null)
  const isSongs = screen.results === 'songs'
  const toTool = useCallback(() => navigation.go(navigation.toolHref(identity.id)), [navigation, identity.id])
  const onOlder = useCallback(
    () => (hasDays ? actors.days.send({type: 'tasks.findMore'}) : actors.pages.send({type: 'tasks.older'})),
    [actors.days, actors.pages, hasDays],
  )
  useLeaveWithScreen()
  const select = cards.length > 0 && <SelectButton />
  useOpenList()

  const isFiltered = range !== noRange || view.filter !== 'all'
  const clear = () => {
    setRange(noRange)
    view.clear()
  }
  const set = (change: Partial<Range>) => {
    const next = {...range, ...change}
    setRange(next.from === '' && next.to === '' && next.words === '' ? noRange : next)
    if (next.from === range.from && next.to === range.to) return
    const [from, to] = [startOf(next.from), startOf(next.to, 1)]
    if (from === undefined && to === undefined) return
    actors.days.send({type: 'tasks.find', from, to})
  }
  const content = () => {
    if (view.shown.length > 0) {
      const shared = {cards: view.shown, scroller, older, onOlder, onFormShown: toTool}
      return isSongs ? (
        <SongResults {...shared} />
      ) : (
        <GridResults {...shared} usualRatio={identity.group === 'video' ? 16 / 9 : 1} />
      )
    }
    if (isFiltered) {
      return (
        <>
          <NothingMatches onClear={clear} />
          <Older older={older} onOlder={onOlder} />
        </>
      )
    }
    if (needsSetUp) return <SetUpStep />
    if (status === 'error') {
      return (
        <ErrorState title={text('common.mediaLoadFailed')} onRetry={() => actors.pages.send({type: 'tasks.refresh'})} />
      )
    }
    if (status === 'request' || status === 'none')
      return <FeedSkeleton ratio={identity.group === 'video' ? 16 / 9 : 1} />
    return (
      <EmptyState
        title={text('common.mediaHistoryEmpty')}
        action={<Button onClick={toTool}>{text('common.mediaOpenTool', {tool: identity.name})}</Button>}
      />
    )
  }
  const filters = {
    range,
    onChange: set,
    onClear: isFiltered ? clear : undefined,
    note: isFiltered && older !== 'none' && (
      <p className={historyStyles.fine}>{text('common.mediaSearchedLoaded', {count: cards.length})}</p>
    ),
  }
  const toolLink = (
    <a
      className={buttonClass('outline', 'sm')}
      href={navigation.toolHref(identity.id)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        toTool()
      }}
    >
      {text('common.mediaOpenTool', {tool: identity.name})}
    </a>
  )
  const looks = (
    <FeedLooks>
      {select}
      {!isSongs && <LayoutChoice layout={layout} onLayout={setLayout} />}
    </FeedLooks>
  )
  const head = (
    <div className={feedStyles.head}>
      {isPhone ? switcher(true) : <h1 tabIndex={-1}>{title}</h1>}
      {!isPhone && toolLink}
      <SandboxBadge />
      {!isPhone && <FeedFilters filter={view.filter} counts={view.counts} onFilter={view.setFilter} />}
      {!isPhone && looks}
    </div>
  )
  return (
    <div className={styles.screen}>
      {slots.head !== null && createPortal(head, slots.head)}
      <ResultArea isSongs={isSongs}>
        <div ref={scroller} className={styles.scroller} data-songs={isSongs || undefined}>
          {isPhone ? (
            <>
              <div className={historyStyles.bar}>
                <h1 className={historyStyles.title} tabIndex={-1}>
                  {title}
                </h1>
                {toolLink}
              </div>
              <PhoneFilters {...filters} view={view} looks={looks} />
            </>
          ) : (
            <HistoryFilters {...filters} />
          )}
          {content()}
        </div>
      </ResultArea>
    </div>
  )
}
