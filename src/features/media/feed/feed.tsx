import {
  Fragment,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import {isComposing} from '#ui/is-composing.ts'
import {useLanguage} from '#ui/language.tsx'
import {loadPart} from '#ui/load-part.ts'
import {useText} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {Older, type OlderProps} from './older-cards.tsx'
import {dayName, feedRows, type FeedRow} from './feed-rows.ts'
import styles from './feed.module.css'

const loadWindowedRows = () => loadPart(() => import('./windowed-rows.tsx'))
const WindowedRows = lazy(async () => ({default: (await loadWindowedRows()).WindowedRows}))

/** Above both the windowed list is loaded; a smaller feed, such as the first page, renders every row. */
const mostRows = 24
const mostCards = 30
const columnWidth = 264
const columnGap = 16

/** The position of a card in the feed. */
export type FeedPosition = {
  card: Card
  /** Over the first card of a day. */
  heading: string | undefined
  /** Position in the whole feed, for screen readers; `count` is -1 while older ones may follow. */
  index: number
  count: number
  isCurrent: boolean
  onCurrent: (key: string) => void
}

/** A task that the user went to from elsewhere: by its id, or the key of its request. Another one with each visit. */
export type Jump = {task: string; visit: unknown}

export type FeedProps = {
  label: string
  cards: readonly Card[]
  /** `fit`: as many as have room. */
  columns: 1 | 'fit'
  /** Items have their own room around them. */
  isDense?: boolean
  item: (position: FeedPosition) => ReactNode
  scroller: RefObject<HTMLDivElement | null>
  older: OlderProps['older']
  onOlder: () => void
  now: () => number
  /** The card to go to, once it is there. */
  jump?: Jump | undefined
  onArrive?: (card: Card) => void
}

/** Tasks of a tool, newest first, under the days they were asked for (design.md §10). */
export function Feed(props: FeedProps) {
  const {label, cards, item, scroller, older, onOlder, now, isDense, jump, onArrive} = props
  const text = useText()
  const {locale} = useLanguage()
  const feed = useRef<HTMLElement>(null)
  const columns = useColumns(feed, props.columns)
  const rows = useMemo(() => feedRows(cards, columns), [cards, columns])
  const [wantedKey, setCurrent] = useState<string>()
  const current = cards.some(({key}) => key === wantedKey) ? wantedKey : cards[0]?.key
  useKeptFocus(feed, current)

  const words = {today: text('common.mediaToday'), yesterday: text('common.mediaYesterday')}
  const setSize = older === 'none' ? cards.length : -1
  const row = (each: FeedRow): ReactNode => (
    <Row key={each.key} columns={columns} hasDay={each.day !== undefined} isDense={isDense}>
      {each.cards.map((card, position) => (
        <Fragment key={card.key}>
          {item({
            card,
            heading: each.day !== undefined && position === 0 ? dayName(each.day, now(), words, locale) : undefined,
            index: each.from + position,
            count: setSize,
            isCurrent: card.key === current,
            onCurrent: setCurrent,
          })}
        </Fragment>
      ))}
    </Row>
  )
  const {goTo, setReveal} = useGoTo(feed, rows, setCurrent)
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = stepOf(event, columns)
    const at = cards.findIndex(({key}) => key === current)
    const next = step === undefined ? undefined : cards[Math.min(cards.length - 1, Math.max(0, at + step))]
    if (next === undefined) return
    event.preventDefault()
    goTo(next)
  }
  useArrival(cards, jump, (card) => {
    goTo(card)
    onArrive?.(card)
  })
  useEffect(() => {
    // with another page it is soon too many for a whole feed
    if (older === 'loading') loadWindowedRows().catch(() => undefined)
  }, [older])
  const currentRow = rows.findIndex(({cards: inRow}) => inRow.some(({key}) => key === current))
  return (
    <>
      {/* a section: axe allows the role on it, and a list would promise items */}
      <section
        ref={feed}
        role="feed"
        aria-label={label}
        aria-busy={older === 'loading'}
        className={styles.feed}
        onKeyDown={move}
      >
        {rows.length <= mostRows || cards.length <= mostCards ? (
          rows.map(row)
        ) : (
          <Suspense fallback={rows.slice(0, mostRows).map(row)}>
            <WindowedRows scroller={scroller} rows={rows} row={row} keep={currentRow} onReveal={setReveal} />
          </Suspense>
        )}
      </section>
      <Older older={older} onOlder={onOlder} scroller={scroller} />
    </>
  )
}

type RowProps = {columns: number; hasDay: boolean; isDense: boolean | undefined; children: ReactNode}

function Row({columns, hasDay, isDense, children}: RowProps) {
  // as: custom properties are not in the type of a style
  const style = {'--columns': columns} as CSSProperties
  return (
    <div className={styles.row} data-day={hasDay || undefined} data-dense={isDense || undefined} style={style}>
      {children}
    </div>
  )
}

/** How many cards stand side by side; the feed's own width decides, not the window's. */
function useColumns(feed: RefObject<HTMLElement | null>, fixedColumns: FeedProps['columns']): number {
  const [columns, setColumns] = useState(1)
  useLayoutEffect(() => {
    const element = feed.current
    if (element === null) return
    const measure = () => {
      const width = element.clientWidth
      setColumns(Math.max(1, Math.floor((width + columnGap) / (columnWidth + columnGap))))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [feed])
  return fixedColumns === 1 ? 1 : columns
}

/** Goes to a card: with the focus, and where only the rows nearby are drawn once its row is. */
function useGoTo(feed: RefObject<HTMLElement | null>, rows: readonly FeedRow[], setCurrent: (key: string) => void) {
  const reveal = useRef<((row: number) => void) | undefined>(undefined)
  const aim = useRef<{key: string; position: number} | undefined>(undefined)
  const goTo = (card: Card) => {
    const position = rows.findIndex(({cards: inRow}) => inRow.includes(card))
    aim.current = cardOf(feed.current, card.key) === null ? {key: card.key, position} : undefined
    setCurrent(card.key)
    reveal.current?.(position)
    focusCard(feed.current, card.key)
  }
  const setReveal = useCallback(
    (next: ((row: number) => void) | undefined) => {
      reveal.current = next
      const wantedCard = aim.current
      aim.current = undefined
      // the list that keeps only what is near came after the user had gone to a card
      if (next === undefined || wantedCard === undefined) return
      next(wantedCard.position)
      focusCard(feed.current, wantedCard.key)
    },
    [feed],
  )
  return {goTo, setReveal}
}

/** Calls `onArrive` once for each visit of a task, when its card is there. */
function useArrival(cards: readonly Card[], jump: Jump | undefined, onArrive: (card: Card) => void) {
  const target = jump && cards.find(({id, key}) => id === jump.task || key === jump.task)
  const lastVisit = useRef<unknown>(undefined)
  useEffect(() => {
    if (target === undefined || lastVisit.current === jump?.visit) return
    lastVisit.current = jump?.visit
    onArrive(target)
  })
}

const cardOf = (feed: HTMLElement | null, key: string | undefined) =>
  key === undefined ? null : (feed?.querySelector<HTMLElement>(`[data-card="${CSS.escape(key)}"]`) ?? null)

function focusCard(feed: HTMLElement | null, key: string) {
  const focus = () => cardOf(feed, key)?.focus({preventScroll: false})
  if (cardOf(feed, key) === null) requestAnimationFrame(focus)
  else focus()
}

/** A card that moves to another row is made anew; when it had the focus, its successor gets it. */
function useKeptFocus(feed: RefObject<HTMLElement | null>, current: string | undefined) {
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    const element = feed.current
    if (element === null || !hadFocus.current) return
    if (document.activeElement === document.body) cardOf(element, current)?.focus({preventScroll: true})
  })
  useEffect(() => {
    const element = feed.current
    if (element === null) return
    const enter = () => {
      hadFocus.current = true
    }
    const leave = (event: FocusEvent) => {
      // removed elements lose the focus to nothing; a user moves it to something
      if (event.relatedTarget !== null) hadFocus.current = element.contains(event.relatedTarget as Node)
    }
    const press = (event: PointerEvent) => {
      if (!(event.target instanceof Node && element.contains(event.target))) hadFocus.current = false
    }
    element.addEventListener('focusin', enter)
    element.addEventListener('focusout', leave)
    document.addEventListener('pointerdown', press)
    return () => {
      element.removeEventListener('focusin', enter)
      element.removeEventListener('focusout', leave)
      document.removeEventListener('pointerdown', press)
    }
  }, [feed])
}

/** How far a key moves in the feed, in cards. Keys pressed inside a card are the card's. */
function stepOf(event: KeyboardEvent<HTMLElement>, columns: number): number | undefined {
  if (!(event.target instanceof HTMLElement) || event.target.dataset.card === undefined) return undefined
  if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return undefined
  const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
  const steps: Record<string, number> = {
    j: 1,
    k: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: 1,
    PageUp: -1,
    ArrowRight: forward,
    ArrowLeft: -forward,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  }
  return steps[event.key]
}
