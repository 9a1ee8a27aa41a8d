import {useMemo} from 'react'
import {defer, EMPTY} from 'rxjs'
import type {SavedPromptsActor} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {useChat} from './chat.context.tsx'
import {useLatest} from './use-latest.ts'

/**
 * The saved prompts of the user, asked for again as the view opens; `opening` until they start, `undefined` where none
 * are offered or nobody is signed in.
 */
export function usePrompts(): SavedPromptsActor | 'opening' | undefined {
  const {actors, isOpening, startPrompts} = useChat()
  const conversations = actors?.conversations
  const prompts$ = useMemo(
    () =>
      // those that do not come are not offered
      conversations === undefined ? EMPTY : defer(() => startPrompts(conversations).catch(() => undefined)),
    [conversations, startPrompts],
  )
  const prompts = useLatest<SavedPromptsActor | 'opening' | undefined>(prompts$, 'opening')
  if (conversations === undefined) return isOpening ? 'opening' : undefined
  return prompts
}
