import {loadPart} from '#ui/load-part.ts'
import {lazyModule, useLazy} from '#ui/use-lazy.ts'
import type {Card} from '../feed/card.ts'

const songFilms = lazyModule(async () => {
  const {joinFilms, lineOf} = await loadPart(() => import('./song-films.ts'))
  return {joinFilms, lineOf}
})

/** What joins films to the lines of their songs. Other work on a song says what it does: only a list with films needs it. */
export const useFilms = (all: readonly Card[]) =>
  useLazy(
    songFilms,
    all.some(({request}) => 'audio_id' in request && !('action' in request)),
  )
