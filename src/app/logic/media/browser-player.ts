import {createAudio} from '#browser/audio.ts'
import {createPlayer} from './player.logic.ts'
import type {LazyPlayer} from '../root-deps.ts'

/** The player on the sound and the media keys of the browser this page runs in. */
export const createBrowserPlayer = (): LazyPlayer =>
  createPlayer(
    createAudio(
      () => document.createElement('audio'),
      'mediaSession' in navigator ? navigator.mediaSession : undefined,
    ),
  )
