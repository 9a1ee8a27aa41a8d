import type {PlayerSnapshot} from './player.machine.ts'

/** The song in the player; undefined while the bar is not shown. */
export const selectTrack = (snapshot: PlayerSnapshot) =>
  selectIsVisible(snapshot) ? snapshot.context.queue[snapshot.context.index] : undefined
export const selectIsVisible = (snapshot: PlayerSnapshot) => snapshot.hasTag('visible')
export const selectIsPlaying = (snapshot: PlayerSnapshot) => snapshot.hasTag('playing')
export const selectIsLoading = (snapshot: PlayerSnapshot) => snapshot.matches({open: 'loading'})
export const selectHasFailed = (snapshot: PlayerSnapshot) => snapshot.matches({open: 'failed'})
/** Seconds. */
export const selectPosition = ({context}: PlayerSnapshot) => context.position
export const selectDuration = ({context}: PlayerSnapshot) => context.duration
/** 0 to 100. */
export const selectVolume = ({context}: PlayerSnapshot) => context.volume
export const selectHasNext = (snapshot: PlayerSnapshot) => snapshot.can({type: 'player.next'})
