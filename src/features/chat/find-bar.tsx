import {useEffectEvent, useLayoutEffect, useRef, type KeyboardEvent, type RefObject} from 'react'
import {useSelector} from '@xstate/react'
import {firstMatchFrom, matchAt, totalMatches} from '#domain/find-text.ts'
import type {ReadingActor} from '#machines/reading/reading.machine.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {NextIcon, PreviousIcon} from '#ui/message-icons.tsx'
import {useCloseRequest} from '#ui/overlays/use-close-request.ts'
import {useText} from '#ui/text.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import {isComposing} from '#ui/is-composing.ts'
import type {FoundThread} from './found-thread.ts'
import styles from './reading.module.css'
import {useFindMarks} from './use-find-marks.ts'
import {useMatches} from './use-matches.ts'

type FindBarProps = {
  threads: readonly FoundThread[]
  reading: ReadingActor
  field: RefObject<HTMLInputElement | null>
}

/** Finds words in the messages of a conversation, or of several side by side, with the number of matches. */
export function FindBar({threads, reading, field}: FindBarProps) {
  const text = useText()
  const {query, from, match} = useSelector(reading, ({context}) => context)
  const isLed = useSelector(reading, (snapshot) => snapshot.matches({finding: 'led'}))
  const rows = useMatches(threads, query)
  const count = totalMatches(rows)
  const shownMatch = Math.min(match ?? firstMatchFrom(rows, from), Math.max(count - 1, 0))
  useFindMarks(threads, query, matchAt(rows, shownMatch))
  useReturnedFocus(field, threads, !isLed || !matchMedia(coarsePointer).matches)

  const step = (by: 1 | -1) => {
    if (count > 0) reading.send({type: 'match.choose', match: (shownMatch + by + count) % count})
  }
  const close = () => reading.send({type: 'panel.close'})
  useCloseRequest(true, close)
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Enter' && event.target === field.current) step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  return (
    <search className={styles.find} aria-label={text('chat.find')} onKeyDown={press}>
      <input
        ref={field}
        className={styles.field}
        type="text"
        dir="auto"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={text('chat.find')}
        placeholder={text('chat.find')}
        value={query}
        onChange={({target}) =>
          reading.send({type: 'query.change', query: target.value, from: threads[0]?.view.current?.firstRow() ?? 0})
        }
      />
      <span role="status" className={styles.count}>
        {query.trim() === ''
          ? ''
          : count === 0
            ? text('chat.findNone')
            : text('chat.findCount', {current: shownMatch + 1, count})}
      </span>
      <IconButton
        size="sm"
        label={text('chat.findPrevious')}
        icon={<PreviousIcon />}
        aria-disabled={count === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        size="sm"
        label={text('chat.findNext')}
        icon={<NextIcon />}
        aria-disabled={count === 0}
        onClick={() => step(1)}
      />
      <IconButton size="sm" label={text('common.close')} icon={<CloseIcon />} onClick={close} />
    </search>
  )
}

/** Gives the focus back to where it was when the field goes, or to the first thread where that is gone. */
function useReturnedFocus(
  field: RefObject<HTMLInputElement | null>,
  threads: readonly FoundThread[],
  takesFocus: boolean,
): void {
  const before = useRef<Element>(null)
  const firstThread = useEffectEvent(() => threads[0]?.view.current)
  const take = useEffectEvent(() => {
    if (takesFocus) field.current?.focus()
  })
  useLayoutEffect(() => {
    const thread = firstThread()
    before.current ??= document.activeElement
    take()
    return () => {
      const last = before.current
      if (last instanceof HTMLElement && last.isConnected) last.focus({preventScroll: true})
      else thread?.focus()
    }
  }, [])
}
