import {
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
import styles from './thread.module.css'
import {useFollowEnd} from './use-follow-end.ts'

export type ThreadHandle = {
  /** Scrolls to the end and follows it. */
  jump: () => void
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
  const {isAway, jump} = useFollowEnd(scroller, content)
  useImperativeHandle(ref, () => ({jump}), [jump])
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
          {windowed ? <WindowedMessages rows={rows} scroller={scroller} /> : rows}
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

function WindowedMessages({
  rows,
  scroller,
}: {
  rows: readonly ReactElement[]
  scroller: RefObject<HTMLDivElement | null>
}) {
  const handle = useRef<VirtualizerHandle>(null)
  const last = useRef(rows.length - 1)
  useLayoutEffect(() => {
    handle.current?.scrollToIndex(last.current, {align: 'end'})
  }, [])
  return (
    <Virtualizer ref={handle} scrollRef={scroller} itemSize={180} bufferSize={600}>
      {[...rows]}
    </Virtualizer>
  )
}
