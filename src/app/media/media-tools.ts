import type {InspectionEvent, Observer} from 'xstate'
import {createUuid} from '#api/random.ts'
import {readToolSlice, storedTools} from '#domain/persisted-state.ts'
import type {Root} from '../logic/root.ts'
import type {RootDeps} from '../logic/root-deps.ts'
import type {HeldFiles} from './held-files.ts'
import type {MediaTools} from './open-media.ts'
import type {ToolActors} from './tool-actors.ts'

type Parts = {actors: ToolActors; files: HeldFiles}

/**
 * The media tools of the page. Their forms and files are loaded when the first tool is opened.
 * @param inspect observer of the forms, which are not below the root, in development (docs/inspecting.md)
 */
export function createMediaTools(root: Root, deps: RootDeps, inspect?: Observer<InspectionEvent>): MediaTools {
  let parts: Parts | undefined
  let loading: Promise<Parts> | undefined
  const load = async (): Promise<Parts> => {
    const [{createToolActors}, {createHeldFiles}] = await Promise.all([
      import('./tool-actors.ts'),
      import('./held-files.ts'),
    ])
    const files = createHeldFiles(deps.createUuid)
    return {files, actors: createToolActors({root, deps, files, ...(inspect && {inspect})})}
  }
  return {
    open: async (tool, signal) => {
      // a chunk that could not be fetched is fetched again next time
      parts = await (loading ??= load().catch((error: unknown) => {
        loading = undefined
        throw error
      }))
      return parts.actors.open(tool, signal)
    },
    files: () => {
      if (parts === undefined) throw new Error('No media tool was opened')
      return parts.files
    },
    prepareUploads: async () => parts?.actors.prepareUploads(),
    now: () => root.media.logic()?.clock.now() ?? deps.timers.now() / 1_000,
    newKey: createUuid,
    storedEnds: () => {
      const state = deps.state.read()
      const isTheirs = state.user?.id === root.actors.session()?.getSnapshot().context.user.id
      return new Map(
        (isTheirs ? storedTools(state) : []).map((tool) => [tool, readToolSlice(state, tool)?.tasks?.ended ?? []]),
      )
    },
    session: root.actors.session,
    tasks: root.actors.tasks,
    player: root.actors.player,
    preparePlayer: () => root.media.loadPlayer().catch(() => undefined),
    play: (song) => parts?.actors.play(song),
    storedVolume: () => root.actors.session()?.getSnapshot().context.stored.volume,
    list: root.actors.taskList,
    provisioning: root.actors.toolProvisioning,
    stored: async (tool) => parts?.actors.stored(tool) ?? [],
  }
}
