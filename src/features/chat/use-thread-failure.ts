import {use, useEffect, useState, useSyncExternalStore} from 'react'
import {forgetFailure} from '#ui/part-words.ts'
import {useChat} from './chat.context.tsx'

/** As React notes on a promise how it ended. */
type Noted = Promise<void> & {status?: string; reason?: Error}

/**
 * Suspends as `useThreadWords`, for a view that shows something without these messages: why they did not come.
 * `retry`: asks for them again, for all such views.
 */
export function useThreadFailure(): {failure: Error | undefined; retry: () => void} {
  const {load, areThere, subscribe} = useChat().threadWords
  const [failure, setFailure] = useState<Error>()
  // the next view asks anew
  useEffect(() => forgetFailure(failure), [failure])
  const retry = () => setFailure(undefined)
  // another view may have asked for them again
  const isOver = useSyncExternalStore(subscribe, areThere)
  if (failure !== undefined && !isOver) return {failure, retry}
  const words = load()
  const noted: Noted = words
  if (noted.status === 'rejected') setFailure(() => noted.reason)
  else use(words)
  return {failure: noted.reason, retry}
}
