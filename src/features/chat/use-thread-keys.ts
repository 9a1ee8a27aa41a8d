import {useEffect, useEffectEvent} from 'react'
import {offerCommands} from '#browser/commands.ts'
import {chordOf} from '#browser/key-chord.ts'

type FindKeys = {
  onFind: () => void
  /** The browser's own search would miss messages, and ours is not in use. */
  takesSearch: () => boolean
}

/** Commands of a thread. */
export function useThreadKeys({onCopyLast, ...find}: FindKeys & {onCopyLast: () => void}): void {
  const copyLast = useEffectEvent(onCopyLast)
  useEffect(() => offerCommands({copyLast: () => copyLast()}), [])
  useFindKeys(find)
}

/**
 * The command that finds words. The browser's own search is taken only where it is incomplete, and a second press in
 * the field reaches it (decision 52).
 */
export function useFindKeys({onFind, takesSearch}: FindKeys): void {
  const find = useEffectEvent(onFind)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isOverlaid =
      event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"]') !== null
    if (event.isComposing || event.defaultPrevented || isOverlaid) return
    if (chordOf(event) !== 'Mod+F' || !takesSearch()) return
    event.preventDefault()
    find()
  })
  useEffect(() => offerCommands({find: () => find()}), [])
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
