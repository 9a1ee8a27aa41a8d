import {lazyModule} from '#ui/use-lazy.ts'

/** Content of a card without a result. Loaded when the user approaches the form, or with the first such card. */
export const wells = lazyModule(async () => (await import('./task-well.tsx')).TaskWell)
