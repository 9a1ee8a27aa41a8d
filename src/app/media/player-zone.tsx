import {useSelector} from '@xstate/react'
import {Suspense, type ComponentProps} from 'react'
import type {PlayerSnapshot} from '#machines/player/player.machine.ts'
import {selectIsVisible} from '#machines/player/player.selectors.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {useSessionActor} from '../actors.context.tsx'
import {useWords} from '../use-words.ts'

const Player = lazyView(async () => (await import('#features/media/player/player.tsx')).Player)

const isVisible = (snapshot: PlayerSnapshot | undefined) => snapshot !== undefined && selectIsVisible(snapshot)

/** The player bar at the foot of every page, from the first song on. */
export function PlayerZone() {
  const player = useSessionActor('player')
  const isShown = useSelector(player, isVisible)
  return player !== undefined && isShown ? (
    <Suspense>
      <WithWords player={player} />
    </Suspense>
  ) : null
}

function WithWords(props: ComponentProps<typeof Player>) {
  useWords('media')
  return <Player {...props} />
}
