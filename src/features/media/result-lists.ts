import {lazyModule} from '#ui/use-lazy.ts'

/* Lists of results: loaded with the first card, or as soon as the user approaches the form. */

export const loadGrid = async () => (await import('./grid-results.tsx')).GridResults
export const gridResults = lazyModule(loadGrid)
export const loadSongs = async () => (await import('./songs/song-results.tsx')).SongResults
export const songResults = lazyModule(loadSongs)
