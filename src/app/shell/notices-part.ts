import {lazyModule} from '#ui/use-lazy.ts'

/** The view of the notices. `after-start.ts` loads it before the first of them, which may come without a network. */
export const noticesPart = lazyModule(async () => (await import('./notices.tsx')).Notices)
