import {lazyModule} from '#ui/use-lazy.ts'

/** Lines of requests without a song. Loaded when the user approaches the form, at the latest by the first such line. */
export const waitingRows = lazyModule(async () => (await import('./waiting-row.tsx')).OtherOrWaitingRow)
