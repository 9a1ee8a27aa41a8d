import {createPartWords} from '#ui/part-words.ts'
import {lazyModule} from '#ui/use-lazy.ts'

/** The view of the notices. */
export const noticesPart = lazyModule(async () => (await import('./notices.tsx')).Notices)

/**
 * `after-start.ts` loads the view before the first notice, which may come without a network. A failure is forgotten once
 * it was shown: `React.lazy` would keep it.
 */
export const noticesLoad = createPartWords(async () => void (await noticesPart.load()))
