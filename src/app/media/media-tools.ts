import {createUuid} from '#api/random.ts'
import {ownFileId} from '#domain/own-file.ts'
import {readToolSlice, storedTools} from '#domain/persisted-state.ts'
import {isOwnedBy} from '#domain/state-owner.ts'
import {loadPart} from '#ui/load-part.ts'
import type {Root} from '../logic/root.ts'
import type {RootDeps} from '../logic/root-deps.ts'
import type {MediaTools} from './open-media.ts'
import type {ToolActors} from './tool-actors.ts'

/** The media tools of the page. What opens them is loaded with the first one. */
export function createMediaTools(root: Root, deps: RootDeps): MediaTools {
  let parts: ToolActors | undefined
  let loading: Promise<ToolActors> | undefined
  const load = async () => (await loadPart(() => import('./tool-actors.ts'))).createToolActors({root, deps})
  return {
    open: async (tool, signal) => {
      // a chunk that could not be fetched is fetched again next time
      parts = await (loading ??= load().catch((error: unknown) => {
        loading = undefined
        throw error
      }))
      return parts.open(tool, signal)
    },
    files: () => {
      if (parts === undefined) throw new Error('No media tool was opened')
      return parts.files()
    },
    prepareUploads: async () => parts?.prepareUploads(),
    storeFile: (file) =>
      parts === undefined ? Promise.reject(new Error('No media tool was opened')) : parts.store(file),
    now: () => root.media.logic()?.clock.now() ?? deps.timers.now() / 1_000,
    newKey: createUuid,
    storedEnds: () => {
      const state = deps.state.read()
      const userId = root.actors.session()?.getSnapshot().context.user.id
      const isTheirs = userId !== undefined && isOwnedBy(state, userId)
      return new Map(
        (isTheirs ? storedTools(state) : []).map((tool) => [tool, readToolSlice(state, tool)?.tasks?.ended ?? []]),
      )
    },
    session: root.actors.session,
    tasks: root.actors.tasks,
    player: root.actors.player,
    preparePlayer: () => root.media.loadPlayer().catch(() => undefined),
    play: (song) => parts?.play(song),
    storedVolume: () => root.actors.session()?.getSnapshot().context.stored.volume,
    form: root.actors.form,
    list: root.actors.taskList,
    provisioning: root.actors.toolProvisioning,
    renewal: deps.config.capabilities.includes('renewable-files')
      ? {
          fileId: (address) => ownFileId(address, deps.config.platform, deps.address().href),
          renew: (fileId) => root.services.management.renewFile(fileId),
        }
      : undefined,
    selection: root.actors.selection,
    openSelection: async (tool) => {
      if (parts === undefined) throw new Error('No media tool was opened')
      return parts.openSelection(tool)
    },
    stored: async (tool) => parts?.stored(tool) ?? [],
  }
}
