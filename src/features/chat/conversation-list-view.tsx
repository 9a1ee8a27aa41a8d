import {Suspense, useRef, useState} from 'react'
import {ErrorState} from '#ui/error-state.tsx'
import {NewChatIcon} from '#ui/icons.tsx'
import {keysOf} from '#browser/commands.ts'
import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {ConversationRow, rowState, type RowActions, type RowSurroundings} from './conversation-row.tsx'
import type {Section} from './conversation-sections.ts'
import styles from './conversation-list.module.css'
import {PlaceLink} from './place-link.tsx'

export type ConversationListViewProps = RowSurroundings & {
  sections: readonly Section[]
  status: 'loading' | 'ready' | 'failed'
  /** Code and detail of a failed load. */
  failure: string | undefined
  actions: RowActions
  onRetry: () => void
}

const WindowedConversations = lazyView(async () => (await import('./windowed-conversations.tsx')).WindowedConversations)

/** From this many rows on, only rows near the viewport are rendered. */
const windowedFrom = 200

/** A group's conversations: new chat first, then by day; titles are links. */
export function ConversationListView(props: ConversationListViewProps) {
  const {group, sections, status, failure, onRetry, onGo} = props
  const text = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const count = sections.reduce((sum, {records}) => sum + records.length, 0)
  return (
    <nav className={styles.list} aria-label={text('chat.conversations')}>
      <PlaceLink className={styles.newChat} place={{group, conversation: undefined}} onGo={onGo ?? (() => undefined)}>
        <NewChatIcon />
        {text('chat.newChat')}
        <Kbd keys={shownKeys(keysOf('newChat'))} plain />
      </PlaceLink>
      <div ref={scroller} className={styles.scroller} aria-busy={status === 'loading'}>
        {status === 'failed' && count === 0 && (
          <ErrorState
            title={text('chat.listFailed')}
            onRetry={onRetry}
            {...(failure === undefined ? {} : {detail: failure})}
          />
        )}
        {status === 'loading' && count === 0 && <LoadingRows />}
        {status === 'ready' && count === 0 && <p className={styles.empty}>{text('chat.listEmpty')}</p>}
        {count > windowedFrom ? (
          <Suspense>
            <WindowedConversations {...props} scroller={scroller} />
          </Suspense>
        ) : (
          sections.map((section) => (
            <section key={section.name} aria-label={text(`chat.${section.name}`)}>
              <h2 className={styles.heading}>{text(`chat.${section.name}`)}</h2>
              <ul>
                {section.records.map((record) => (
                  <ConversationRow
                    key={record.key}
                    record={record}
                    {...rowState(props, record)}
                    actions={props.actions}
                  />
                ))}
              </ul>
            </section>
          ))
        )}
      </div>
    </nav>
  )
}

const widths = ['72%', '54%', '63%', '46%', '68%']

function LoadingRows() {
  const text = useText()
  const [shown] = useState(widths)
  return (
    <div role="img" aria-label={text('common.loading')} className={styles.loading}>
      {shown.map((width) => (
        <Skeleton key={width} inlineSize={width} blockSize={14} />
      ))}
    </div>
  )
}
