import {createValueStore} from '#browser/value-store.ts'

/** The slot in the head of the chat that the thread fills, as it stands in the document now. */
export const headSlot = createValueStore<Element | null>(null)

/**
 * Makes an element the place, until it leaves the document. While the page becomes as narrow as a phone, or wider, the
 * next place comes before this one has left.
 */
export function fillHeadSlot(element: Element | null): () => void {
  headSlot.set(element)
  return () => {
    if (headSlot.get() === element) headSlot.set(null)
  }
}
