import {createValueStore} from '#browser/value-store.ts'

/** The slot in the head of the chat that the thread fills, as it stands in the document now. */
export const headSlot = createValueStore<Element | null>(null)
