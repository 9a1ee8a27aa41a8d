import {lazyModule} from '#ui/use-lazy.ts'

/* Lists of results. Asked for by the first card, or by an empty feed, so that a card can show without a network. */

export const gridResults = lazyModule(async () => (await import('./grid-results.tsx')).GridResults)
export const songResults = lazyModule(async () => (await import('./songs/song-results.tsx')).SongResults)
