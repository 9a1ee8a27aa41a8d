import {useEffectEvent, useLayoutEffect, useRef, type RefObject} from 'react'
import {coarsePointer} from './use-media-query.ts'

/**
 * Hands the focus of a button on as the button goes or can no longer be pressed: the browser would drop it, and keys
 * then go nowhere. Not on touch, where a field with the focus brings up the keyboard.
 */
export function useHandedFocus(isUsable: boolean, hand: () => void): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  const give = useEffectEvent(hand)
  useLayoutEffect(() => {
    const {current} = button
    if (!isUsable) return undefined
    return () => {
      if (document.activeElement === current && !matchMedia(coarsePointer).matches) give()
    }
  }, [isUsable])
  return button
}
