import {use, useEffect, useState} from 'react'
import {forgetFailure} from '#ui/part-words.ts'
import {useChat} from './chat.context.tsx'

/** As React notes on a promise how it ended. */
type Noted = Promise<void> & {status?: string; reason?: Error}

/**
 * Suspends as `useThreadWords`, for a view that shows something without these messages: why they did not come.
 * `retry`: asks for them again.
 */
export function useThreadFailure(): {failure: Error | undefined; retry: () => void} {
  const {load} = useChat().threadWords
  const [failure, setFailure] = useState<Error>()
  // the next view asks anew
  useEffect(() => forgetFailure(failure), [failure])
  const retry = () => setFailure(undefined)
  if (failure !== undefined) return {failure, retry}
  const words = load()
  const noted: Noted = words
  if (noted.status === 'rejected') setFailure(() => noted.reason)
  else use(words)
  return {failure: noted.reason, retry}
}
