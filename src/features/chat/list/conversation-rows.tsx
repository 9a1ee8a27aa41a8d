import {shallowEqual, useSelector} from '@xstate/react'
import {Suspense, useMemo, type RefObject} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import {
  selectActiveKey,
  selectAnswering,
  selectUnread,
} from '#machines/conversation-list/conversation-list.selectors.ts'
import {useText} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {useChat, type ChatActors, type ChatPlace} from '../chat.context.tsx'
import {ConversationRow, rowState} from './conversation-row.tsx'
import {conversationSections} from './conversation-sections.ts'
import styles from './rows.module.css'

export type ConversationRowsProps = {
  actors: ChatActors
  place: ChatPlace
  /** The group's conversations, in any order. */
  records: readonly ConversationRecord[]
  scroller: RefObject<HTMLDivElement | null>
  /** Called on navigation, to close the drawer around the list. */
  onGo: (() => void) | undefined
}

const WindowedConversations = lazyView(async () => (await import('./windowed-conversations.tsx')).WindowedConversations)

/** From this many rows on, only rows near the viewport are rendered. */
const windowedFrom = 200

/** A group's conversations by day; titles are links. */
export function ConversationRows({actors: {conversations}, place, records, scroller, onGo}: ConversationRowsProps) {
  const text = useText()
  const {navigation, now} = useChat()
  const activeKey = useSelector(conversations, selectActiveKey)
  const answering = useSelector(conversations, selectAnswering, shallowEqual)
  const unread = useSelector(conversations, selectUnread, shallowEqual)
  const sections = useMemo(() => conversationSections(records, now()), [records, now])
  const remove = (key: string) => {
    const listed = sections.flatMap((section) => section.records)
    const index = listed.findIndex((record) => record.key === key)
    const neighbour = listed[index + 1] ?? listed[index - 1]
    conversations.send({type: 'conversation.remove', key})
    if (key === activeKey) {
      navigation.go({group: place.group, conversation: neighbour && (neighbour.id ?? neighbour.key)}, {replace: true})
    }
  }
  const surroundings = {group: place.group, activeKey, answering, unread, onGo}
  const actions = {
    onRename: (key: string, title: string) => conversations.send({type: 'conversation.rename', key, title}),
    onRemove: remove,
  }
  if (records.length > windowedFrom)
    return (
      <Suspense>
        <WindowedConversations {...surroundings} sections={sections} actions={actions} scroller={scroller} />
      </Suspense>
    )
  return sections.map((section) => (
    <section key={section.name} aria-label={text(`chat.${section.name}`)}>
      <h2 className={styles.heading}>{text(`chat.${section.name}`)}</h2>
      <ul>
        {section.records.map((record) => (
          <ConversationRow key={record.key} record={record} {...rowState(surroundings, record)} actions={actions} />
        ))}
      </ul>
    </section>
  ))
}
