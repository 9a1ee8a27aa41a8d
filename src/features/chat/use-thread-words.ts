import {use} from 'react'
import {useChat} from './chat.context.tsx'

/** Suspends the view until the messages of threads and of the model menu are loaded. */
export function useThreadWords(): void {
  const words = useChat().threadWords()
  if (words !== undefined) use(words)
}
