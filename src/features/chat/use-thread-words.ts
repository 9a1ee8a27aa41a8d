import {use} from 'react'
import {useChat} from './chat.context.tsx'

/** Suspends the view until the words of threads and of the model's menu are there. */
export function useThreadWords(): void {
  const words = useChat().threadWords()
  if (words !== undefined) use(words)
}
