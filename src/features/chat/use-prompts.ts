import {useEffect, useState} from 'react'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import type {SavedPromptsActor} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {useChat} from './chat.context.tsx'

/**
 * The saved prompts of the user, asked for again as the view opens; `opening` until they start, `undefined` where none
 * are offered or nobody is signed in.
 */
export function usePrompts(): SavedPromptsActor | 'opening' | undefined {
  const {actors, isOpening, startPrompts} = useChat()
  const conversations = actors?.conversations
  const [opening, setOpening] = useState<{of: ConversationListActor; prompts: SavedPromptsActor | undefined}>()
  useEffect(() => {
    if (conversations === undefined) return
    let isHere = true
    const show = (prompts?: SavedPromptsActor) => {
      if (isHere) setOpening({of: conversations, prompts})
    }
    startPrompts(conversations).then(show, () => show())
    return () => {
      isHere = false
    }
  }, [conversations, startPrompts])
  if (conversations === undefined) return isOpening ? 'opening' : undefined
  return opening?.of === conversations ? opening.prompts : 'opening'
}
