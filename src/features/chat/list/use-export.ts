import {useEffect, useRef, useState} from 'react'
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
  const latest = useRef<readonly string[]>(undefined)
  useEffect(
    () => () => {
      latest.current = undefined
    },
    [],
  )
  const start = (keys: readonly string[]) => {
    const records = all.filter(({key}) => keys.includes(key))
    const words = {
      untitled: text('chat.untitled'),
      user: text('chat.exportUser'),
      assistant: text('chat.exportAssistant'),
      system: text('chat.exportSystem'),
    }
    latest.current = keys
    startExport(records, words).then(
      (actor) => {
        if (latest.current === keys) setCurrent({actor, count: records.length})
        // no dialog will close it: the view is gone, or something else is exported
        else actor.send({type: 'dialog.closed'})
      },
      // to the error boundary of the list
      (error: unknown) =>
        setCurrent(() => {
          throw error
        }),
    )
  }
  return {current, start, close: () => setCurrent(undefined)}
}
