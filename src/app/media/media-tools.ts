import {createUuid} from '#api/random.ts'
import {ownFileId} from '#domain/own-file.ts'
import {readToolSlice, storedTools} from '#domain/persisted-state.ts'
import {isOwnedBy} from '#domain/state-owner.ts'
import {loadPart} from '#ui/load-part.ts'
import type {Root} from '../logic/root.ts'
import type {RootDeps} from '../logic/root-deps.ts'
import type {MediaTools} from './media-tools.types.ts'

/** The media tools of the page. What opens them is loaded with the first one. */
export function createMediaTools(root: Root, deps: RootDeps): MediaTools {
  const logic = () => {
    if (root.actors.session() === undefined) throw new Error('Nobody is signed in')
    const mediaLogic = root.media.logic()
    if (mediaLogic === undefined) throw new Error('No media tool was opened')
    return mediaLogic
  }
  const stored = () => loadPart(() => import('./stored-tasks.ts'))
  /** A service that was asked tells the time; before a tool was, the one of the chat does. */
  const now = () => {
    const clock = root.media.logic()?.clock
    return (clock?.isKnown() === true ? clock : root.services.clock).now()
  }
  return {
    open: (tool, use) => root.actors.session()?.send({type: 'tool.open', tool, use}),
    loaded: (tool) => root.media.logic()?.loadedTool(tool),
    files: () => logic().files,
    prepareUploads: async () => logic().prepareUploads(),
    storeFile: async (file) => logic().storeFile(file),
    now,
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
    tool: root.actors.tool,
    player: root.actors.player,
    preparePlayer: () => root.media.loadPlayer().catch(() => undefined),
    play: (song) => root.actors.session()?.send({type: 'player.use', song}),
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
    stored: async (tool) => (await stored()).storedTasks({root, deps}, tool),
    repeat: async (tool, id) => (await stored()).repeatTask({root, deps}, tool, id, now()),
  }
}
