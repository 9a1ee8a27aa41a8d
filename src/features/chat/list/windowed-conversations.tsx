import type {RefObject} from 'react'
import {Virtualizer} from 'virtua'
import type {ConversationRecord} from '#domain/conversation.ts'
import {useText} from '#ui/text.tsx'
import {ConversationRow, rowState, type RowSurroundings} from './conversation-row.tsx'
import type {ConversationSection} from './conversation-sections.ts'
import styles from './rows.module.css'

type WindowedConversationsProps = RowSurroundings & {
  sections: readonly ConversationSection[]
  scroller: RefObject<HTMLDivElement | null>
}
type Line = {kind: 'section'; section: ConversationSection} | {kind: 'row'; record: ConversationRecord}

/** A long list that renders only the rows near the viewport. */
export function WindowedConversations({scroller, sections, ...props}: WindowedConversationsProps) {
  const text = useText()
  const lines = sections.flatMap((section): Line[] => [
    {kind: 'section', section},
    ...section.records.map((record): Line => ({kind: 'row', record})),
  ])
  // Tab reaches the list wherever it is scrolled to, and the focus stays
  const stopIndex = lines.findIndex((line) => line.kind === 'row' && line.record.key === props.stop)
  return (
    <Virtualizer scrollRef={scroller} itemSize={34} as="ul" item="li" keepMounted={stopIndex < 0 ? [] : [stopIndex]}>
      {lines.map((line) =>
        line.kind === 'section' ? (
          <h2 key={line.section.name} className={styles.heading}>
            {text(`chat.${line.section.name}`)}
          </h2>
        ) : (
          <ConversationRow key={line.record.key} as="div" record={line.record} {...rowState(props, line.record)} />
        ),
      )}
    </Virtualizer>
  )
}
