import {useEffect, useState, type RefObject} from 'react'
import {lazyModule, useLazy} from '#ui/use-lazy.ts'
import {anyTouch, useMediaQuery} from '#ui/use-media-query.ts'

const typingPart = lazyModule(() => import('./follow-typing.ts'))

/**
 * Whether a text field below `element` has the focus; on a touch screen the keyboard is then open. A device without one
 * has no such keyboard, and loads nothing for it.
 */
export function useTyping(element: RefObject<HTMLElement | null>): boolean {
  const [typing, setTyping] = useState(false)
  const part = useLazy(typingPart, useMediaQuery(anyTouch))
  useEffect(() => {
    const frame = element.current
    return frame === null ? undefined : part?.followTyping(frame, setTyping)
  }, [element, part])
  return typing
}
