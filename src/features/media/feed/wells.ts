import {loadPart} from '#ui/load-part.ts'
import {lazyModule} from '#ui/use-lazy.ts'

/** What stands in a card without a result. Asked for when somebody comes near the form, at the latest by the first such card. */
export const wells = lazyModule(async () => (await loadPart(() => import('./task-well.tsx'))).TaskWell)
