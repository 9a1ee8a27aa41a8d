import {useEffect, useState} from 'react'
import type {SavedPromptsActor} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {useChat} from './chat.context.tsx'

/** The saved prompts of the user while this view is there; `undefined` until they start, and where none are offered. */
export function usePrompts(): SavedPromptsActor | undefined {
  const {startPrompts} = useChat()
  const [actor, setActor] = useState<SavedPromptsActor>()
  useEffect(() => {
    let isHere = true
    let started: SavedPromptsActor | undefined
    startPrompts().then(
      (prompts) => {
        started = prompts
        if (isHere) setActor(prompts)
        else prompts?.stop()
      },
      () => undefined,
    )
    return () => {
      isHere = false
      started?.stop()
    }
  }, [startPrompts])
  return actor
}
