import {createAudio} from '#browser/audio.ts'
import {createPlayer, type LatePlayer} from './player.logic.ts'

/** The player on the sound and the media keys of the browser this page runs in. */
export const createBrowserPlayer = (): LatePlayer =>
  createPlayer(
    createAudio(
      () => document.createElement('audio'),
      'mediaSession' in navigator ? navigator.mediaSession : undefined,
    ),
  )
