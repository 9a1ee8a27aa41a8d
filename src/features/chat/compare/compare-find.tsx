import {shallowEqual, useSelector} from '@xstate/react'
import {useMemo, useRef, type RefObject} from 'react'
import type {Column} from '#machines/compare/compare.types.ts'
import {selectConversation} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {ReadingActor} from '#machines/reading/reading.machine.ts'
import type {ChatActors} from '../chat.context.tsx'
import {FindBar} from '../find-bar.tsx'
import type {ThreadHandle} from '../thread-view.tsx'
import {useFindKeys} from '../use-thread-keys.ts'
import styles from './compare.module.css'

type CompareFindProps = {
  actors: ChatActors
  reading: ReadingActor
  columns: readonly Column[]
  /** The thread of each column. */
  views: readonly RefObject<ThreadHandle | null>[]
  /** Brings a column on screen. */
  onShow: (index: number) => void
}

/** Finds words in all columns of a comparison: a field above them, by the key that a conversation has for it. */
export function CompareFind({actors, reading, columns, views, onShow}: CompareFindProps) {
  const field = useRef<HTMLInputElement>(null)
  const isFinding = useSelector(reading, (snapshot) => snapshot.matches('finding'))
  const conversations = useSelector(
    actors.conversations,
    (list) => columns.map(({name, phase}) => (phase === 'gone' ? undefined : selectConversation(list, name))),
    shallowEqual,
  )
  const threads = useMemo(
    () =>
      conversations.flatMap((actor, index) => {
        const view = views[index]
        return actor === undefined || view === undefined ? [] : [{actor, view, bring: () => onShow(index)}]
      }),
    [conversations, views, onShow],
  )
  useFindKeys({
    onFind: () => {
      reading.send({type: 'find.open'})
      field.current?.focus()
      field.current?.select()
    },
    takesSearch: () =>
      views.some(({current}) => current?.isPartial() === true) && document.activeElement !== field.current,
  })
  return isFinding ? (
    <div className={styles.finding}>
      <FindBar threads={threads} reading={reading} field={field} />
    </div>
  ) : null
}
