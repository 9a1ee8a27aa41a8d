import {useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject} from 'react'

/** Within this distance of the end (in CSS pixels) the view counts as at the end (design §10). */
const nearEnd = 80
const upwardKeys = new Set(['PageUp', 'Home', 'ArrowUp'])

export type FollowEnd = {
  /** The end is out of sight: shows the button that jumps there. */
  isAway: boolean
  jump: () => void
  /** Stops following: the view goes elsewhere. */
  release: () => void
}

/**
 * Keeps the end of a growing content in view until the user scrolls away. Wheel, touch, keys, the scroll bar and a text
 * selection stop following at once; returning to the end resumes it. The end of an answer moves nothing.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): FollowEnd {
  const following = useRef(true)
  const [isAway, setIsAway] = useState(false)

  const jump = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    following.current = true
    element.scrollTop = element.scrollHeight
    setIsAway(false)
  }, [scroller])

  const release = useCallback(() => {
    following.current = false
  }, [])

  useLayoutEffect(() => {
    const element = scroller.current
    const inner = content.current
    if (element === null || inner === null) return
    let height = element.scrollHeight
    const toEnd = () => {
      height = element.scrollHeight
      if (following.current) element.scrollTop = element.scrollHeight
      else setIsAway(element.scrollHeight - element.scrollTop - element.clientHeight > nearEnd)
    }
    toEnd()
    const resizes = new ResizeObserver(toEnd)
    resizes.observe(inner)
    resizes.observe(element)
    // Text is followed before its frame: the scroll event then belongs to that frame, and asks for no second one.
    const growth = new MutationObserver(() => {
      if (following.current && element.scrollHeight !== height) toEnd()
    })
    growth.observe(inner, {childList: true, characterData: true, subtree: true})
    return () => {
      resizes.disconnect()
      growth.disconnect()
    }
  }, [scroller, content])

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let lastTop = element.scrollTop
    let touchY: number | undefined
    let onScrollBar = false
    const canScroll = () => element.scrollHeight > element.clientHeight
    const releaseIfLong = () => {
      if (canScroll()) release()
    }
    const listeners = {
      wheel: (event: WheelEvent) => {
        if (event.deltaY < 0) releaseIfLong()
      },
      touchstart: (event: TouchEvent) => {
        touchY = event.touches[0]?.clientY
      },
      touchmove: (event: TouchEvent) => {
        const y = event.touches[0]?.clientY
        if (y !== undefined && touchY !== undefined && y > touchY + 4) releaseIfLong()
      },
      keydown: (event: KeyboardEvent) => {
        if (upwardKeys.has(event.key) || (event.key === ' ' && event.shiftKey)) releaseIfLong()
      },
      pointerdown: (event: PointerEvent) => {
        onScrollBar = event.target === element
      },
      scroll: () => {
        const distance = element.scrollHeight - element.scrollTop - element.clientHeight
        if (onScrollBar && element.scrollTop < lastTop) following.current = false
        else if (element.scrollTop > lastTop && distance <= nearEnd) following.current = true
        lastTop = element.scrollTop
        setIsAway(distance > nearEnd)
      },
    }
    const pointerUp = () => {
      onScrollBar = false
    }
    const select = () => {
      const selection = document.getSelection()
      if (selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode)) releaseIfLong()
    }
    element.addEventListener('wheel', listeners.wheel, {passive: true})
    element.addEventListener('touchstart', listeners.touchstart, {passive: true})
    element.addEventListener('touchmove', listeners.touchmove, {passive: true})
    element.addEventListener('keydown', listeners.keydown)
    element.addEventListener('pointerdown', listeners.pointerdown)
    element.addEventListener('scroll', listeners.scroll, {passive: true})
    document.addEventListener('pointerup', pointerUp)
    document.addEventListener('selectionchange', select)
    return () => {
      element.removeEventListener('wheel', listeners.wheel)
      element.removeEventListener('touchstart', listeners.touchstart)
      element.removeEventListener('touchmove', listeners.touchmove)
      element.removeEventListener('keydown', listeners.keydown)
      element.removeEventListener('pointerdown', listeners.pointerdown)
      element.removeEventListener('scroll', listeners.scroll)
      document.removeEventListener('pointerup', pointerUp)
      document.removeEventListener('selectionchange', select)
    }
  }, [scroller, release])

  return {isAway, jump, release}
}
