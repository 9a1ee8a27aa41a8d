import {useEffect, useState} from 'react'
import {lazyModule} from '#ui/use-lazy.ts'
import {useChat} from './chat.context.tsx'

/** The view of a list's rows. */
export const rows = lazyModule(async () => (await import('./list/conversation-rows.tsx')).ConversationRows)
type Rows = NonNullable<typeof rows.loaded>

/**
 * The view of a list's rows once it and its messages are loaded; asked for when there are rows. Without suspending: React
 * shows what was suspended 300 ms later. A failed download goes to the nearest error boundary.
 */
export function useConversationRows(wanted: boolean): Rows | undefined {
  const {threadWords} = useChat()
  const [view, setView] = useState(() =>
    rows.loaded !== undefined && threadWords() === undefined ? rows.loaded : undefined,
  )
  const isMissing = wanted && view === undefined
  useEffect(() => {
    if (!isMissing) return
    let current = true
    const show = (next: () => Rows) => {
      if (current) setView(next)
    }
    Promise.all([rows.load(), threadWords()]).then(
      ([loaded]) => show(() => loaded),
      (error: unknown) =>
        show(() => {
          throw error
        }),
    )
    return () => {
      current = false
    }
  }, [isMissing, threadWords])
  return wanted ? view : undefined
}
