import {expect} from 'vitest'

declare module 'vitest' {
  interface Matchers<T> {
    /** Expects that the element stands in the page, and neither it nor an element around it is hidden. */
    toBeVisible: () => T
  }
}

const isHidden = (element: Element): boolean =>
  element.hasAttribute('hidden') ||
  (element instanceof HTMLElement && (element.style.display === 'none' || element.style.visibility === 'hidden'))

/** A closed `details` shows only its head on screen. */
const isFolded = (element: Element): boolean => {
  const parent = element.parentElement
  return parent instanceof HTMLDetailsElement && !parent.open && element.tagName !== 'SUMMARY'
}

const isVisible = (element: Element): boolean => {
  if (!element.isConnected) return false
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (isHidden(each) || isFolded(each)) return false
  }
  return true
}

expect.extend({
  toBeVisible: (received: unknown) => {
    const pass = received instanceof Element && isVisible(received)
    return {pass, message: () => `the element is ${pass ? '' : 'not '}visible`}
  },
})
