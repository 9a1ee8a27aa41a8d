import {
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type Ref,
  type RefObject,
} from 'react'
import {Virtualizer, type VirtualizerHandle} from 'virtua'
import {ArrowDownIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {pointOut} from './point-out.ts'
import styles from './thread.module.css'
import {useFollowEnd} from './use-follow-end.ts'

export type ThreadHandle = {
  /** Scrolls to the end and follows it. */
  jump: () => void
  /** Scrolls to a row, marks it for a moment and gives its message the focus. */
  show: (row: number) => void
}

type ThreadViewProps = {
  /** One element per message, each with a stable key. */
  rows: readonly ReactElement[]
  busy: boolean
  /** Announced politely by screen readers: an answer started or is ready; never its text. */
  announcement: string
  ref?: Ref<ThreadHandle>
}

/** From this many messages on, only those near the viewport are rendered. */
const windowedFrom = 60

/** The scrolling list of messages. */
export function ThreadView({rows, busy, announcement, ref}: ThreadViewProps) {
  const text = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  // stays windowed once windowed: a change would recreate every row
  const [windowed, setWindowed] = useState(rows.length > windowedFrom)
  if (!windowed && rows.length > windowedFrom) setWindowed(true)
  const {isAway, jump, release} = useFollowEnd(scroller, content)
  // each request is an object of its own: the same row can be asked for again
  const [target, setTarget] = useState<{row: number}>()
  const list = useRef<VirtualizerHandle>(null)
  const show = useCallback(
    (row: number) => {
      release()
      setTarget({row})
    },
    [release],
  )
  useImperativeHandle(ref, () => ({jump, show}), [jump, show])
  useLayoutEffect(() => {
    if (target === undefined) return
    const row = content.current?.querySelector<HTMLElement>(`[data-row='${target.row}']`)
    list.current?.scrollToIndex(target.row, {align: 'start'})
    if (row == null) return
    if (list.current === null) row.scrollIntoView()
    return pointOut(row)
  }, [target])
  return (
    <div className={styles.frame}>
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
          {windowed ? <WindowedMessages ref={list} rows={rows} scroller={scroller} kept={target?.row} /> : rows}
        </div>
      </div>
      {isAway && (
        <button type="button" className={styles.jump} aria-label={text('chat.jumpToLatest')} onClick={jump}>
          <ArrowDownIcon />
        </button>
      )}
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </div>
  )
}

type WindowedMessagesProps = {
  rows: readonly ReactElement[]
  scroller: RefObject<HTMLDivElement | null>
  /** Rendered wherever the view is. */
  kept: number | undefined
  ref: RefObject<VirtualizerHandle | null>
}

function WindowedMessages({rows, scroller, kept, ref}: WindowedMessagesProps) {
  const last = useRef(rows.length - 1)
  useLayoutEffect(() => {
    ref.current?.scrollToIndex(last.current, {align: 'end'})
  }, [ref])
  return (
    <Virtualizer
      ref={ref}
      scrollRef={scroller}
      itemSize={180}
      bufferSize={600}
      {...(kept === undefined ? {} : {keepMounted: [kept]})}
    >
      {[...rows]}
    </Virtualizer>
  )
}
