import {lazyModule, useLazy} from '#ui/use-lazy.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'

const songVideos = lazyModule(async () => {
  const {joinVideos, lineOf} = await import('./song-videos.ts')
  return {joinVideos, lineOf}
})

/** Loads the functions that join videos to the lines of their songs; only a list with videos needs them. */
export const useSongVideos = (all: readonly Card[]) =>
  useLazy(
    songVideos,
    all.some(({request}) => 'audio_id' in request && !('action' in request)),
  )
