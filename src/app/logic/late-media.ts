import type {playerMachine} from '#machines/player/player.machine.ts'
import type {TasksActor, tasksMachine} from '#machines/tasks/tasks.machine.ts'
import type {PlayerActor} from '#machines/player/player.machine.ts'
import {late} from './late.ts'
import type {MediaLogic, MediaLookup} from './media/media.logic.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

/** Tasks and player: their charts, clients and adapters come with the first media tool that is used. */
export type LateMedia = {
  load: () => Promise<void>
  tasks: typeof tasksMachine
  player: typeof playerMachine
  /** Connects a running actor with storage, the page and the other tabs. Nothing while nothing is loaded. */
  followTasks: (actor: TasksActor) => void
  followPlayer: (actor: PlayerActor) => void
  logic: () => MediaLogic | undefined
  /** Nothing of a person stays in memory for the next one (security R16). */
  clear: () => void
}

export function createLateMedia(deps: RootDeps, services: Services, lookup: MediaLookup): LateMedia {
  let logic: MediaLogic | undefined
  let loading: Promise<MediaLogic> | undefined
  const load = async () => {
    const [{createMediaLogic}, media, manifest] = await Promise.all([
      import('./media/media.logic.ts'),
      deps.openMedia(),
      deps.loadTools(),
    ])
    return createMediaLogic({deps, media, manifest, services, lookup})
  }
  return {
    load: async () => {
      // a chunk that could not be fetched is fetched again next time
      logic = await (loading ??= load().catch((error: unknown) => {
        loading = undefined
        throw error
      }))
    },
    tasks: late(() => logic?.tasks),
    player: late(() => logic?.player),
    followTasks: (actor) => logic?.followTasks(actor),
    followPlayer: (actor) => logic?.followPlayer(actor),
    logic: () => logic,
    clear: () => logic?.clear(),
  }
}
