import {useSelector} from '@xstate/react'
import {Suspense, useEffect} from 'react'
import type {PlayerSnapshot} from '#machines/player/player.machine.ts'
import {selectIsVisible} from '#machines/player/player.selectors.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {useAppInfo} from '../app-info.tsx'
import {useSessionActor} from '../actors.context.tsx'

const Player = lazyView(async () => (await import('#features/media/player/player.tsx')).Player)

const isVisible = (snapshot: PlayerSnapshot | undefined) => snapshot !== undefined && selectIsVisible(snapshot)

/** The player bar at the foot of every page, from the first song on. */
export function PlayerZone() {
  const player = useSessionActor('player')
  const {prepareWords} = useAppInfo()
  const isShown = useSelector(player, isVisible)
  useEffect(() => {
    if (isShown) void prepareWords('media')
  }, [isShown, prepareWords])
  return player !== undefined && isShown ? (
    <Suspense>
      <Player player={player} />
    </Suspense>
  ) : null
}
