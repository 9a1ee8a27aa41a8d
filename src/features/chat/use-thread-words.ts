import {usePartWords} from '#ui/part-words.ts'
import {useChat} from './chat.context.tsx'

/** Suspends the view until the messages of threads and of the model menu are loaded. */
export const useThreadWords = (): void => usePartWords(useChat().threadWords)
