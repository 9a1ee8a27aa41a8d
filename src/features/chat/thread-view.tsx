import {
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import {Virtualizer, type VirtualizerHandle} from 'virtua'
import {ArrowDownIcon} from '#ui/later-icons.tsx'
import {useText} from '#ui/text.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import {usePrinting} from '#ui/use-printing.ts'
import {markWords} from './mark-words.ts'
import {pointOut} from './point-out-message.ts'
import styles from './thread.module.css'
import {unfoldRow} from './unfold-text.ts'
import {isTextBelow, useFollowEnd} from './use-follow-end.ts'

export type ThreadHandle = {
  /** Scrolls to the end and follows it. */
  jump: () => void
  /** Scrolls to a row, marks it for a moment and gives its message the focus. */
  show: (row: number) => void
  /** The same, with all words of a long question. `query`: its words are marked until the next press. */
  showWhole: (row: number, query: string | undefined) => void
  /** Renders a row, and scrolls near it where it was not rendered. */
  reveal: (row: number) => void
  /** The first row in view. */
  firstRow: () => number
  /** No more than a line or two is below the view. */
  isAtEnd: () => boolean
  /** Some rows are not rendered, so that the browser's own search does not find them. */
  isPartial: () => boolean
  focus: () => void
  elements: () => {scroller: HTMLElement | null; content: HTMLElement | null}
}

type ThreadViewProps = {
  /** One element per message, each with a stable key. */
  rows: readonly ReactElement[]
  /** The row with an open editor, which keeps its focus and caret wherever the view is. */
  edited?: number | undefined
  busy: boolean
  /** Announced politely by screen readers: an answer started, is ready or was stopped; never its text. */
  announcement: string
  /** Stands over the messages. */
  panel?: ReactNode
  /** The panel is the field that finds words. */
  isFinding?: boolean
  /** The list of questions is open beside the messages. */
  isOutlining?: boolean
  /** Puts the focus into the message field. */
  focusField: () => void
  ref?: Ref<ThreadHandle>
}

/** From this many messages on, only those near the viewport are rendered. */
const windowedFrom = 60

/** The scrolling list of messages. */
export function ThreadView({
  rows,
  edited,
  busy,
  announcement,
  panel,
  isFinding = false,
  isOutlining = false,
  focusField,
  ref,
}: ThreadViewProps) {
  const text = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  // stays windowed once windowed: a change would recreate every row
  const [isWindowed, setIsWindowed] = useState(rows.length > windowedFrom)
  if (!isWindowed && rows.length > windowedFrom) setIsWindowed(true)
  const {isAway, jump: follow, release} = useFollowEnd(scroller, content, styles.fresh ?? '')
  const isPrinting = usePrinting()
  const list = useRef<VirtualizerHandle>(null)
  const {target, setTarget, way} = useTarget(list, scroller, content)
  const jump = useCallback(() => {
    way.current?.end()
    follow()
  }, [follow, way])
  useThreadHandle(ref, {list, scroller, content, jump, release, setTarget})
  useSteadyLines(scroller, isFinding)
  /** The button that was pressed goes with its focus; on touch the field would bring up the keyboard. */
  const toLatest = () => {
    jump()
    if (!matchMedia(coarsePointer).matches) focusField()
  }
  return (
    <div className={styles.frame} data-finding={isFinding || undefined} data-outlining={isOutlining || undefined}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="log"
        aria-live="off"
        aria-busy={busy}
        aria-label={text('chat.thread')}
        tabIndex={0}
      >
        <div ref={content} className={styles.column}>
          {isWindowed ? (
            <>
              <div className={styles.windowed}>
                <WindowedMessages
                  ref={list}
                  rows={rows}
                  scroller={scroller}
                  kept={[target?.row, edited]}
                  onMeasured={() => way.current?.go()}
                />
              </div>
              {isPrinting && <div className={styles.printed}>{rows}</div>}
            </>
          ) : (
            rows
          )}
        </div>
      </div>
      {panel}
      {isAway && (
        <button type="button" className={styles.jump} aria-label={text('chat.jumpToLatest')} onClick={toLatest}>
          <ArrowDownIcon />
        </button>
      )}
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </div>
  )
}

type HandleParts = {
  list: RefObject<VirtualizerHandle | null>
  scroller: RefObject<HTMLElement | null>
  content: RefObject<HTMLElement | null>
  jump: () => void
  /** Ends following the newest message. */
  release: () => void
  setTarget: (target: Target) => void
}

/** Lets the screen lead to rows of its thread and read where the thread stands. */
function useThreadHandle(
  ref: Ref<ThreadHandle> | undefined,
  {list, scroller, content, jump, release, setTarget}: HandleParts,
): void {
  useImperativeHandle(ref, () => {
    const lead = (next: Target) => {
      release()
      setTarget(next)
    }
    return {
      jump,
      show: (row) => lead({row}),
      showWhole: (row, query) => lead({row, isWhole: true, query}),
      reveal: (row) => lead({row, isQuiet: true}),
      firstRow: () => firstRowIn(scroller.current),
      isAtEnd: () => scroller.current !== null && !isTextBelow(scroller.current, styles.fresh ?? ''),
      isPartial: () => list.current !== null,
      focus: () => scroller.current?.focus(),
      elements: () => ({scroller: scroller.current, content: content.current}),
    }
  }, [list, scroller, content, jump, release, setTarget])
}

type Target = {row: number; isQuiet?: true; isWhole?: true; query?: string | undefined}

/** The row that is led to: scrolls there, and unless that is to be quiet, points it out and marks the words in it. */
function useTarget(
  list: RefObject<VirtualizerHandle | null>,
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
) {
  // each request is an object of its own: the same row can be asked for again
  const [target, setTarget] = useState<Target>()
  /** The way of the windowed list to a row. */
  const way = useRef<Way>(undefined)
  useLayoutEffect(() => {
    if (target === undefined) return
    const row = content.current?.querySelector<HTMLElement>(`[data-row='${target.row}']`)
    const ends: (() => void)[] = []
    if (list.current !== null && (target.isQuiet !== true || (row && isFarFrom(row, scroller.current))))
      ends.push(leadTo(list.current, target.row, scroller.current, way))
    const end = () => ends.forEach((each) => each())
    if (row == null || target.isQuiet) return end
    if (target.isWhole) unfoldRow(row)
    if (list.current === null) row.scrollIntoView()
    ends.push(pointOut(row))
    if (target.query !== undefined && scroller.current !== null)
      ends.push(markWords(row, scroller.current, target.query))
    return end
  }, [target, list, scroller, content])
  return {target, setTarget, way}
}

/** Height of the room above the first line for the field that finds words (thread.module.css). */
const fieldRoom = 48

/** The lines in view stay where they are while that room comes and goes. */
function useSteadyLines(scroller: RefObject<HTMLElement | null>, isFinding: boolean): void {
  useLayoutEffect(() => {
    const element = scroller.current
    if (!isFinding || element === null) return undefined
    // at the start the first lines come out from under the field
    if (element.scrollTop > 0) element.scrollTop += fieldRoom
    let {scrollTop} = element
    const note = () => ({scrollTop} = element)
    element.addEventListener('scroll', note, {passive: true})
    return () => {
      element.removeEventListener('scroll', note)
      // not where the browser has put it: at the end it has made up for the room already
      element.scrollTop = scrollTop - fieldRoom
    }
  }, [scroller, isFinding])
}

/** Position of the first row that reaches into the view. */
function firstRowIn(scroller: HTMLElement | null): number {
  if (scroller === null) return 0
  const {top} = scroller.getBoundingClientRect()
  const rows = [...scroller.querySelectorAll<HTMLElement>('[data-row]')]
  // a row that is kept though it is out of view stands before or after the others
  return Number(rows.find((row) => row.getBoundingClientRect().bottom > top + fade)?.dataset.row ?? 0)
}

/** Height of the fading edge, in CSS pixels. */
const fade = 28

/** More than a screen away: what is between may not be rendered. */
function isFarFrom(row: HTMLElement, scroller: HTMLElement | null): boolean {
  if (scroller === null) return false
  const {top, bottom, height} = scroller.getBoundingClientRect()
  const own = row.getBoundingClientRect()
  return own.bottom < top - height || own.top > bottom + height || getComputedStyle(row).visibility === 'hidden'
}

type Way = {go: () => void; end: () => void} | undefined

/** Events by which a user takes the scrolling of a thread over. */
export const scrollGestures = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** Milliseconds in which the rows around the target are measured. */
const measuringTime = 1_000

/**
 * Scrolls the list to a row, and there again with each row that is measured, until the user scrolls. The list's own
 * `scrollToIndex` does the same, and cannot be ended (virtua, pull request 595). Returns a function that ends it.
 */
function leadTo(list: VirtualizerHandle, row: number, scroller: HTMLElement | null, way: RefObject<Way>): () => void {
  const controller = new AbortController()
  const {signal} = controller
  const go = () => {
    if (scroller !== null) scroller.scrollTop = list.getItemOffset(row)
  }
  const end = () => controller.abort()
  way.current = {go, end}
  go()
  for (const gesture of scrollGestures) scroller?.addEventListener(gesture, end, {passive: true, signal})
  const timer = setTimeout(end, measuringTime)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    way.current = undefined
  })
  return end
}

type WindowedMessagesProps = {
  rows: readonly ReactElement[]
  scroller: RefObject<HTMLDivElement | null>
  /** Rendered wherever the view is. */
  kept: readonly (number | undefined)[]
  /** Rows have another size; their positions are the new ones already. */
  onMeasured: () => void
  ref: RefObject<VirtualizerHandle | null>
}

function WindowedMessages({rows, scroller, kept, onMeasured, ref}: WindowedMessagesProps) {
  return (
    <Virtualizer
      ref={ref}
      scrollRef={scroller}
      itemSize={180}
      bufferSize={600}
      keepMounted={kept.filter((row) => row !== undefined)}
      onResize={onMeasured}
    >
      {[...rows]}
    </Virtualizer>
  )
}
