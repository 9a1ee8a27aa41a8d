import {createValueStore} from '#browser/value-store.ts'

/** How many answers and tasks ended while nobody saw them (after-start.ts): the title of the tab counts them. */
export const unseenCount = createValueStore(0)
