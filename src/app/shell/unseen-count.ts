import {createValueStore} from '#browser/value-store.ts'

/** The number of answers and tasks that ended unseen (after-start.ts), for the title of the tab. */
export const unseenCount = createValueStore(0)
