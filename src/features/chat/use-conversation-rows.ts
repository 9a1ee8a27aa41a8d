import {useEffect, useState, useSyncExternalStore} from 'react'
import {createValueStore} from '#browser/value-store.ts'
import {loadPart} from '#ui/load-part.ts'
import {useChat, type ChatPorts} from './chat.context.tsx'
import type {ConversationRows} from './list/conversation-rows.tsx'

const rows = createValueStore<typeof ConversationRows | undefined>(undefined)

/** Loads the view of a list's rows and its messages; the lists on screen show it from then on. */
export async function loadRows(threadWords: ChatPorts['threadWords']): Promise<void> {
  const [part] = await Promise.all([loadPart(() => import('./list/conversation-rows.tsx')), threadWords.loadAhead()])
  rows.set(part.ConversationRows)
}

/**
 * The view of a list's rows once it and its messages are loaded; asked for when there are rows. Without suspending:
 * React shows what was suspended 300 ms later. A failed download goes to the nearest error boundary.
 */
export function useConversationRows(isWanted: boolean): typeof ConversationRows | undefined {
  const {threadWords} = useChat()
  const view = useSyncExternalStore(rows.subscribe, rows.get)
  const [, fail] = useState()
  const isMissing = isWanted && view === undefined
  useEffect(() => {
    if (isMissing)
      loadRows(threadWords).catch((error: unknown) =>
        fail(() => {
          throw error
        }),
      )
  }, [isMissing, threadWords])
  return view
}
