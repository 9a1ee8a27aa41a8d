import type {playerMachine} from '#machines/player/player.machine.ts'
import type {TasksActor, tasksMachine} from '#machines/tasks/tasks.machine.ts'
import type {PlayerActor} from '#machines/player/player.machine.ts'
import {loadPart} from '#ui/load-part.ts'
import {lazyLogic} from './chosen-logic.ts'
import type {MediaLogic} from './media/media.logic.ts'
import type {MediaLookup} from './media/media-lookup.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

/** Tasks get their code with the first media tool that is used, the player with the first song. */
export type LazyMedia = {
  load: () => Promise<void>
  loadPlayer: () => Promise<void>
  tasks: typeof tasksMachine
  player: typeof playerMachine
  /** Connects a running actor with storage, the page and the other tabs. Nothing while nothing is loaded. */
  followTasks: (actor: TasksActor) => void
  followPlayer: (actor: PlayerActor) => void
  logic: () => MediaLogic | undefined
  /** Nothing of a user stays in memory for the next one (security R16). */
  clear: () => void
}

/** Loaded once; what could not be fetched is fetched again next time. */
function createPart<Part>(fetch: () => Promise<Part>) {
  let part: Part | undefined
  let loading: Promise<Part> | undefined
  return {
    get: () => part,
    load: async () => {
      part = await (loading ??= fetch().catch((error: unknown) => {
        loading = undefined
        throw error
      }))
    },
  }
}

export function createLazyMedia(deps: RootDeps, services: Services, lookup: MediaLookup): LazyMedia {
  const {load, get: logic} = createPart(async () => {
    const [{createMediaLogic}, media, manifest] = await Promise.all([
      loadPart(() => import('./media/media.logic.ts')),
      deps.openMedia(),
      deps.loadTools(),
    ])
    return createMediaLogic({deps, media, manifest, services, lookup})
  })
  const player = createPart(deps.openPlayer)
  return {
    load,
    loadPlayer: player.load,
    tasks: lazyLogic(() => logic()?.tasks),
    player: lazyLogic(() => player.get()?.logic),
    followTasks: (actor) => logic()?.followTasks(actor),
    followPlayer: (actor) => player.get()?.follow(deps, actor),
    logic,
    clear: () => logic()?.clear(),
  }
}
