import {useEffect, useEffectEvent} from 'react'
import {offerCommands} from '#browser/commands.ts'

/** The key of undo does what the button of an offer to take something back does, as long as that is there. */
export function useUndoKey(isOffered: boolean, onUndo: () => void): void {
  const undo = useEffectEvent(onUndo)
  useEffect(() => (isOffered ? offerCommands({undo: () => undo()}) : undefined), [isOffered])
}
