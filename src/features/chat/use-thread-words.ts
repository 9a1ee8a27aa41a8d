import {use} from 'react'
import {useChat} from './chat.context.tsx'

/** React reads it without suspending. A render that is repeated after a wait has to call `use` as the first one did. */
const noWords = Object.assign(Promise.resolve(), {status: 'fulfilled' as const, value: undefined})

/** Suspends the view until the messages of threads and of the model menu are loaded. */
export function useThreadWords(): void {
  use(useChat().threadWords() ?? noWords)
}
