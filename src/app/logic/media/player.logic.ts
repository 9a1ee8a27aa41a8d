import {fromEventObservable} from 'xstate'
import type {AudioPort} from '#browser/audio.ts'
import {playerMachine, type PlayerActor} from '#machines/player/player.machine.ts'
import {selectKept} from '#machines/player/player.selectors.ts'
import {follow} from '../persistence.ts'
import type {LazyPlayer, RootDeps} from '../root-deps.ts'

const createPlayerLogic = (audio: AudioPort) =>
  playerMachine.provide({
    actors: {audio: fromEventObservable(() => audio.events$)},
    actions: {
      loadTrack: (_, {track, volume, position}) => {
        if (track !== undefined) audio.load(track, {volume, position})
      },
      playAudio: () => audio.play(),
      pauseAudio: () => audio.pause(),
      seekAudio: (_, {position}) => audio.seek(position),
      setVolume: (_, {volume}) => audio.setVolume(volume),
      unloadAudio: () => audio.unload(),
    },
  })

/** Seconds between two writings of how far a song was heard. */
const positionStep = 5

/** Volume, and the songs with the position in them. */
function persistPlayer({state}: Pick<RootDeps, 'state'>, player: PlayerActor) {
  follow(
    player,
    ({context: {volume}}) => ({volume}),
    (parts, before) => {
      if (before !== undefined) state.save({audio: parts})
    },
  )
  follow(
    player,
    ({context: {queue, index, position}}) => ({queue, index, step: Math.floor(position / positionStep)}),
    (_, before) => {
      const snapshot = player.getSnapshot()
      // songs of the last visit are not written back: another tab may have newer ones
      if (before !== undefined || snapshot.hasTag('playing')) state.save({player: selectKept(snapshot)})
    },
  )
}

/** Fills the ports of the player. Loaded with the first song. */
export const createPlayer = (audio: AudioPort): LazyPlayer => ({
  logic: createPlayerLogic(audio),
  follow: persistPlayer,
})
