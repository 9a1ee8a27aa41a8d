import {useSelector} from '@xstate/react'
import {useCallback, useRef, type ReactNode} from 'react'
import {createPortal} from 'react-dom'
import {selectDays} from '#machines/tasks/tasks.selectors.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {EmptyState} from '#ui/empty-state.tsx'
import {ErrorState} from '#ui/error-state.tsx'
import {PageLink} from '#ui/page-link.tsx'
import {useText} from '#ui/text.tsx'
import {useMediaQuery, phone} from '#ui/use-media-query.ts'
import {selectTotal} from '#machines/task-list/task-list.selectors.ts'
import {FeedFilters, FeedLooks, LayoutChoice} from '../feed/feed-head.tsx'
import {FeedSkeleton} from '../feed/feed-states.tsx'
import {NothingMatches} from '../feed/without-cards.tsx'
import {Older} from '../feed/older-cards.tsx'
import {GridResults} from '../grid-results.tsx'
import {useMedia} from '../media.context.ts'
import {ResultArea, type MediaSlots} from '../media-screen.tsx'
import {SandboxBadge} from '../sandbox-badge.tsx'
import {SelectButton} from '../select/select-button.tsx'
import {useLeaveWithScreen} from '../select/use-selection.ts'
import {SetUpStep} from '../set-up-step.tsx'
import {SongResults} from '../songs/song-results.tsx'
import {useCards, useListState} from '../use-cards.ts'
import {useFilter, useLayout} from '../use-feed-view.ts'
import feedStyles from '../feed/feed.module.css'
import styles from '../media-screen.module.css'
import {HistoryFilters, PhoneFilters} from './history-filters.tsx'
import historyStyles from './history.module.css'
import {useHistoryRange} from './use-history-range.ts'

type HistoryScreenProps = {slots: MediaSlots; switcher: (isSmall: boolean) => ReactNode; title: string}

/** The cards of the chosen days, those that the filter shows of them, and the way to older ones. */
function useHistory() {
  const {actors} = useMedia()
  const cards = useCards()
  const total = useSelector(actors.list, selectTotal)
  const narrowing = useHistoryRange(cards)
  const {hasDays, inRange, isNarrowed} = narrowing
  const view = useFilter(inRange, isNarrowed ? inRange.length : total)
  const listState = useListState()
  const olderDays = useSelector(actors.days, selectDays)
  const onOlder = useCallback(
    () => (hasDays ? actors.days.send({type: 'tasks.findMore'}) : actors.pages.send({type: 'tasks.older'})),
    [actors.days, actors.pages, hasDays],
  )
  return {
    cards,
    narrowing,
    view,
    listed: listState,
    older: hasDays ? olderDays : listState.older,
    onOlder,
    isFiltered: isNarrowed || view.filter !== 'all',
    clear: () => {
      narrowing.clear()
      view.clear()
    },
  }
}

/** All that was made with a tool, at full width, to be looked through by day, state and words (screens.md §4). */
export function HistoryScreen({slots, switcher, title}: HistoryScreenProps) {
  const {identity, screen, navigation} = useMedia()
  const text = useText()
  const isPhone = useMediaQuery(phone)
  const {cards, narrowing, view, listed, older, onOlder, isFiltered, clear} = useHistory()
  const [layout, setLayout] = useLayout()
  const scroller = useRef<HTMLDivElement>(null)
  const isSongs = screen.results === 'songs'
  const toTool = useCallback(() => navigation.go(navigation.toolHref(identity.id)), [navigation, identity.id])
  useLeaveWithScreen()
  const filters = {
    range: narrowing.range,
    onChange: narrowing.change,
    onClear: isFiltered ? clear : undefined,
    note: isFiltered && older !== 'none' && (
      <p className={historyStyles.fine}>{text('common.mediaSearchedLoaded', {count: cards.length})}</p>
    ),
  }
  const toolLink = <ToolLink onGo={toTool} />
  const looks = (
    <FeedLooks>
      {cards.length > 0 && <SelectButton />}
      {!isSongs && <LayoutChoice layout={layout} onLayout={setLayout} />}
    </FeedLooks>
  )
  const head = isPhone ? (
    <PhoneHead switcher={switcher} />
  ) : (
    <Head title={title} toolLink={toolLink} view={view} looks={looks} />
  )
  return (
    <div className={styles.screen}>
      {slots.head !== null && createPortal(head, slots.head)}
      <ResultArea isSongs={isSongs}>
        <div ref={scroller} className={styles.scroller} data-songs={isSongs || undefined}>
          {isPhone ? (
            <>
              <Bar title={title} toolLink={toolLink} />
              <PhoneFilters {...filters} view={view} looks={looks} />
            </>
          ) : (
            <HistoryFilters {...filters} />
          )}
          {view.shown.length > 0 ? (
            <Results cards={view.shown} scroller={scroller} older={older} onOlder={onOlder} onFormShown={toTool} />
          ) : isFiltered ? (
            <>
              <NothingMatches onClear={clear} />
              <Older older={older} onOlder={onOlder} />
            </>
          ) : (
            <NothingMade {...listed} onOpenTool={toTool} />
          )}
        </div>
      </ResultArea>
    </div>
  )
}

type HeadProps = {
  title: string
  toolLink: ReactNode
  view: ReturnType<typeof useFilter>
  /** How the results look: to choose some, and as a grid or a list. */
  looks: ReactNode
}

function Head({title, toolLink, view, looks}: HeadProps) {
  return (
    <div className={feedStyles.head}>
      <h1 tabIndex={-1}>{title}</h1>
      {toolLink}
      <SandboxBadge />
      <FeedFilters filter={view.filter} counts={view.counts} onFilter={view.setFilter} />
      {looks}
    </div>
  )
}

/** The head of a phone has no room for more than the tool: the title and the filters stand over the results. */
const PhoneHead = ({switcher}: Pick<HistoryScreenProps, 'switcher'>) => (
  <div className={feedStyles.head}>
    {switcher(true)}
    <SandboxBadge />
  </div>
)

const Bar = ({title, toolLink}: Pick<HeadProps, 'title' | 'toolLink'>) => (
  <div className={historyStyles.bar}>
    <h1 className={historyStyles.title} tabIndex={-1}>
      {title}
    </h1>
    {toolLink}
  </div>
)

/** To the tool itself, in another tab as the user likes. */
function ToolLink({onGo}: {onGo: () => void}) {
  const {identity, navigation} = useMedia()
  const text = useText()
  return (
    <PageLink className={buttonClass('outline', 'sm')} href={navigation.toolHref(identity.id)} onFollow={onGo}>
      {text('common.mediaOpenTool', {tool: identity.name})}
    </PageLink>
  )
}

type ResultsProps = Pick<Parameters<typeof SongResults>[0], 'cards' | 'scroller' | 'older' | 'onOlder' | 'onFormShown'>

function Results(props: ResultsProps) {
  const {identity, screen} = useMedia()
  return screen.results === 'songs' ? (
    <SongResults {...props} />
  ) : (
    <GridResults {...props} usualRatio={identity.group === 'video' ? 16 / 9 : 1} />
  )
}

type NothingMadeProps = Pick<ReturnType<typeof useListState>, 'status' | 'needsSetUp'> & {onOpenTool: () => void}

/** Replaces the cards: the list has none, or could not be read yet. */
function NothingMade({status, needsSetUp, onOpenTool}: NothingMadeProps) {
  const {actors, identity} = useMedia()
  const text = useText()
  if (needsSetUp) return <SetUpStep />
  if (status === 'error') {
    return (
      <ErrorState title={text('common.mediaLoadFailed')} onRetry={() => actors.pages.send({type: 'tasks.refresh'})} />
    )
  }
  if (status === 'request' || status === 'none') return <FeedSkeleton ratio={identity.group === 'video' ? 16 / 9 : 1} />
  return (
    <EmptyState
      title={text('common.mediaHistoryEmpty')}
      action={<Button onClick={onOpenTool}>{text('common.mediaOpenTool', {tool: identity.name})}</Button>}
    />
  )
}
