import {useState} from 'react'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationExportActor} from '#machines/conversation-export/conversation-export.machine.ts'
import type {ConversationListSnapshot} from '#machines/conversation-list/conversation-list.machine.ts'
import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'

/** The list is being read, or will be: it may lack conversations that this device does not have. */
export const selectIsReading = (snapshot: ConversationListSnapshot) =>
  snapshot.matches('none') || snapshot.matches('request')

/** The export that a dialog is open for. */
export function useExport(all: readonly ConversationRecord[]) {
  const {startExport} = useChat()
  const text = useText()
  const [current, setCurrent] = useState<{actor: ConversationExportActor; count: number}>()
  const start = (keys: readonly string[]) => {
    const records = all.filter(({key}) => keys.includes(key))
    const words = {
      untitled: text('chat.untitled'),
      user: text('chat.exportUser'),
      assistant: text('chat.exportAssistant'),
      system: text('chat.exportSystem'),
    }
    startExport(records, words).then(
      (actor) => setCurrent({actor, count: records.length}),
      // to the error boundary of the list
      (error: unknown) =>
        setCurrent(() => {
          throw error
        }),
    )
  }
  return {current, start, close: () => setCurrent(undefined)}
}
