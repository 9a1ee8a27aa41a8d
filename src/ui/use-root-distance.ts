import {useLayoutEffect, type RefObject} from 'react'

/**
 * Keeps the distance from the start of an element to the end of the window in a custom property of the root, for parts
 * that stand above it. It follows the element's size and the window's.
 */
export function useRootDistance(property: `--${string}`, target: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = target.current
    if (element === null) return
    const {style} = document.documentElement
    const measure = () => style.setProperty(property, `${innerHeight - element.getBoundingClientRect().top}px`)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(document.documentElement)
    return () => {
      observer.disconnect()
      style.removeProperty(property)
    }
  }, [property, target])
}
