import {lazyModule} from '#ui/use-lazy.ts'

/* Lists of results: loaded with the first card, or as soon as the user approaches the form. */

export const gridResults = lazyModule(async () => (await import('./grid-results.tsx')).GridResults)
export const songResults = lazyModule(async () => (await import('./songs/song-results.tsx')).SongResults)
