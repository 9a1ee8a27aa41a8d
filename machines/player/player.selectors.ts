import type {PlayerSnapshot} from './player.machine.ts'
import type {KeptSongs} from './player.types.ts'

/** The song in the player; undefined while the bar is not shown. */
export const selectTrack = (snapshot: PlayerSnapshot) =>
  selectIsVisible(snapshot) ? snapshot.context.queue[snapshot.context.index] : undefined
export const selectIsVisible = (snapshot: PlayerSnapshot) => snapshot.hasTag('visible')
export const selectIsPlaying = (snapshot: PlayerSnapshot) => snapshot.hasTag('playing')
export const selectIsLoading = (snapshot: PlayerSnapshot) => snapshot.matches({open: 'loading'})
export const selectHasFailed = (snapshot: PlayerSnapshot) => snapshot.matches({open: 'failed'})
/** So many songs are kept over a reload. */
const mostKept = 20

/** The songs for the next visit, those around the one that is heard; undefined when there is none. */
export function selectKept({context: {queue, index, position}}: PlayerSnapshot): KeptSongs | undefined {
  if (queue.length === 0) return undefined
  const from = Math.max(0, Math.min(index - mostKept / 2, queue.length - mostKept))
  return {
    queue: queue
      .slice(from, from + mostKept)
      // words are long, and only those of the song that is heard are read
      .map((track, nth) => (nth === index - from ? track : {...track, lyric: undefined})),
    index: index - from,
    position,
  }
}
/** Seconds. */
export const selectPosition = ({context}: PlayerSnapshot) => context.position
export const selectDuration = ({context}: PlayerSnapshot) => context.duration
/** 0 to 100. */
export const selectVolume = ({context}: PlayerSnapshot) => context.volume
export const selectHasNext = (snapshot: PlayerSnapshot) => snapshot.can({type: 'player.next'})
