import {useSelector} from '@xstate/react'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import {messageText, stays} from '#domain/conversation.ts'
import {shortText} from '#domain/cut-text.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {ReadingActor} from '#machines/reading/reading.machine.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {useCloseRequest} from '#ui/overlays/use-close-request.ts'
import {CloseIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import styles from './reading.module.css'
import {scrollGestures, type ThreadHandle} from './thread-view.tsx'

type OutlineProps = {
  actor: ConversationActor
  reading: ReadingActor
  view: RefObject<ThreadHandle | null>
  /** Gets the question that the view is at. */
  current: RefObject<HTMLButtonElement | null>
}

/** Longest question shown (in characters); the list shows two lines of it. */
const longest = 200

/** The questions of a conversation; each leads to its position. */
export function Outline({actor, reading, view, current}: OutlineProps) {
  const text = useText()
  const isPhone = useMediaQuery(phone)
  const messages = useSelector(actor, selectMessages)
  const questions = messages.flatMap((message, row) =>
    message.role === 'user' && stays(message) ? [{row, content: message.content}] : [],
  )
  const position = useRowInView(view)
  const [target, aimAt] = useChosenRow(view)
  const here = questions.findLast(({row}) => row <= (target ?? position))?.row
  // `scrollIntoView` returns a promise in new browsers, which is no end of an effect
  useLayoutEffect(() => void current.current?.scrollIntoView({block: 'nearest'}), [current, here])
  const close = () => {
    reading.send({type: 'panel.close'})
    view.current?.focus()
  }
  useCloseRequest(true, close)
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    close()
  }
  const go = (row: number) => {
    // on a narrow screen the list covers what it leads to
    if (isPhone) close()
    view.current?.show(row)
    aimAt(row)
  }
  return (
    <nav className={styles.outline} aria-label={text('chat.outline')} onKeyDown={press}>
      <div className={styles.outlineHead}>
        <strong>{text('chat.outline')}</strong>
        <IconButton size="sm" label={text('common.close')} icon={<CloseIcon />} onClick={close} />
      </div>
      <ol className={styles.questions}>
        {questions.map(({row, content}) => (
          <li key={row}>
            <button
              type="button"
              className={styles.question}
              dir="auto"
              aria-current={row === here ? 'location' : undefined}
              ref={row === here ? current : undefined}
              onClick={() => go(row)}
            >
              <span className={styles.questionText}>
                {shortText(messageText(content), longest) || text('chat.file')}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/**
 * Position of the row that the view is at, also while the thread is scrolled: the first in view, and at the end of the
 * thread the last, which may be too short to come to the top.
 */
function useRowInView(view: RefObject<ThreadHandle | null>): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const scroller = view.current?.elements().scroller
      scroller?.addEventListener('scroll', listener, {passive: true})
      return () => scroller?.removeEventListener('scroll', listener)
    },
    [view],
  )
  return useSyncExternalStore(subscribe, () => (view.current?.isAtEnd() ? Infinity : (view.current?.firstRow() ?? 0)))
}

/** A row that was chosen, until the user scrolls: one near the end of the thread does not come to the top. */
function useChosenRow(view: RefObject<ThreadHandle | null>) {
  const [target, setTarget] = useState<number>()
  useEffect(() => {
    if (target === undefined) return
    const controller = new AbortController()
    const {signal} = controller
    const scroller = view.current?.elements().scroller
    for (const gesture of scrollGestures)
      scroller?.addEventListener(gesture, () => setTarget(undefined), {passive: true, signal})
    return () => controller.abort()
  }, [target, view])
  return [target, setTarget] as const
}
