import {shallowEqual, useSelector} from '@xstate/react'
import {useMemo} from 'react'
import type {PlayerActor, PlayerSnapshot} from '#machines/player/player.machine.ts'
import {
  selectDuration,
  selectHasFailed,
  selectHasNext,
  selectIsLoading,
  selectIsPlaying,
  selectPosition,
  selectTrack,
  selectVolume,
} from '#machines/player/player.selectors.ts'
import {PlayerBar, type PlayerBarProps} from './player-bar.tsx'
import type {PlayerCommands} from './player-controls.tsx'

const stateOf = (snapshot: PlayerSnapshot): PlayerBarProps['state'] =>
  selectHasFailed(snapshot)
    ? 'failed'
    : selectIsLoading(snapshot)
      ? 'loading'
      : selectIsPlaying(snapshot)
        ? 'playing'
        : 'paused'

const select = (snapshot: PlayerSnapshot) => ({
  track: selectTrack(snapshot),
  state: stateOf(snapshot),
  // whole seconds: the audio element reports several times a second
  position: Math.floor(selectPosition(snapshot)),
  duration: Math.floor(selectDuration(snapshot)),
  volume: selectVolume(snapshot),
  hasPrevious: snapshot.context.index > 0,
  hasNext: selectHasNext(snapshot),
})

/** The player bar of the page; nothing while no song was chosen. */
export function Player({player}: {player: PlayerActor}) {
  const {track, ...playerState} = useSelector(player, select, shallowEqual)
  const commands = useMemo(
    (): PlayerCommands => ({
      toggle: () => player.send({type: 'player.toggle'}),
      next: () => player.send({type: 'player.next'}),
      previous: () => player.send({type: 'player.previous'}),
      retry: () => player.send({type: 'player.retry'}),
      close: () => player.send({type: 'player.close'}),
      seek: (position) => player.send({type: 'player.seek', position}),
      volume: (volume) => player.send({type: 'volume.change', volume}),
    }),
    [player],
  )
  return track === undefined ? null : <PlayerBar track={track} {...playerState} commands={commands} />
}
