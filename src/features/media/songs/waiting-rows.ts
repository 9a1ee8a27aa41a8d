import {loadPart} from '#ui/load-part.ts'
import {lazyModule} from '#ui/use-lazy.ts'

/** Lines of requests without a song. Asked for when somebody comes near the form, at the latest by the first such line. */
export const waitingRows = lazyModule(async () => (await loadPart(() => import('./waiting-row.tsx'))).OtherOrWaitingRow)
