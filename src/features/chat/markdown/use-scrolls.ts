import {useEffect, useState, type RefObject} from 'react'

/**
 * Whether the content of an element is wider than its box: only then is it a stop of Tab. Measured when the box or a block in it changes
 * its size, and with `cause`: longer lines of code change neither.
 */
export function useScrolls(ref: RefObject<HTMLElement | null>, cause?: unknown): boolean {
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth))
    observer.observe(element)
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  }, [ref, cause])
  return scrolls
}
