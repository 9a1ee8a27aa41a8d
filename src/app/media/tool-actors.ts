import {lastValueFrom} from 'rxjs'
import {waitFor, type AnyActorRef} from 'xstate'
import type {MediaTool, ToolIdentity} from '#contract/media/media-tool.ts'
import type {GenerationActor} from '#machines/generation/generation.machine.ts'
import type {Song} from '#machines/player/player.types.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {SelectionActor} from '#machines/selection/selection.machine.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {TaskRecord} from '#machines/tasks/tasks.types.ts'
import {loadPart} from '#ui/load-part.ts'
import type {Root} from '../logic/root.ts'
import type {RootDeps} from '../logic/root-deps.ts'
import {toTaskRecord} from '../logic/media/task-records.ts'
import {usedTool} from '../logic/stored-session.ts'
import {createHeldFiles, type HeldFiles} from './held-files.ts'

/** A tool that is open: its rules, the actors of its screen, and the user they belong to. */
export type OpenTool = {
  identity: ToolIdentity
  tool: MediaTool
  actors: {
    generation: GenerationActor
    list: TaskListActor
    provisioning: ProvisioningActor
  }
}

/** So many of the newest tasks of a tool are looked through for results. */
const mostStored = 200

type ToolActorParts = {
  root: Root
  deps: Pick<RootDeps, 'state' | 'loadTools' | 'bulk' | 'createUuid' | 'log'>
}

/** Opens the media tools of the session that runs: their actors stand below `tasks` and end with it, and so do chosen files. */
export function createToolActors({root, deps}: ToolActorParts) {
  const held = new WeakMap<AnyActorRef, HeldFiles>()

  const filesOf = (session: AnyActorRef): HeldFiles => {
    const known = held.get(session)
    if (known !== undefined) return known
    const files = createHeldFiles(deps.createUuid)
    held.set(session, files)
    const clear = () => files.clear()
    session.subscribe({complete: clear, error: clear})
    return files
  }
  const files = () => {
    const session = root.actors.session()
    if (session === undefined) throw new Error('Nobody is signed in')
    return filesOf(session)
  }

  return {
    /**
     * Starts what a tool needs, or finds it. Rejects when nobody is signed in, or when no build knows the tool.
     * @param signal ends the wait
     */
    async open(id: string, signal?: AbortSignal): Promise<OpenTool> {
      const {actors} = root
      const session = actors.session()
      if (session === undefined) throw new Error('Nobody is signed in')
      const {identities, loadTool} = await deps.loadTools()
      const identity = identities.find((known) => known.id === id)
      const tool = identity && (await loadTool(id))
      if (identity === undefined || tool === undefined) throw new Error(`There is no tool "${id}"`)
      // while it reads what was kept it hears nothing
      await waitFor(session, (snapshot) => snapshot.hasTag('active'), {signal})
      session.send({type: 'tool.use', ...usedTool(deps.state.read(), identity)})
      await waitFor(session, () => actors.tasks() !== undefined, {signal})
      const tasks = actors.tasks()
      if (tasks !== undefined) await waitFor(tasks, () => actors.taskList(id) !== undefined, {signal})
      const forms = root.media.logic()?.forms
      if (forms === undefined) throw new Error('The charts of the media tools were not loaded')
      await forms.prepare(id, tool)
      actors.tasks()?.send({type: 'form.open', tool: id})
      const [generation, list, provisioning] = [actors.form(id), actors.taskList(id), actors.toolProvisioning(id)]
      if (generation === undefined || list === undefined || provisioning === undefined)
        throw new Error(`The actors of "${id}" are not running`)
      return {identity, tool, actors: {generation, list, provisioning}}
    },
    /** Plays a song; the first one starts the player. What comes of it is told by the player, or by the session for it. */
    play(song: Song): void {
      const {session, player} = root.actors
      const running = session()
      const start = () => player()?.send({type: 'track.play', ...song})
      // within the press where that is possible: some browsers want it so
      if (running === undefined || player() !== undefined) return start()
      running.send({type: 'player.use'})
      waitFor(running, () => player() !== undefined).then(start, () => undefined) // rejects when the user leaves
    },
    /** Before the first file is added to a form. Rejects when the chart of an upload cannot be loaded. */
    async prepareUploads(): Promise<void> {
      const {createUploadLogic} = await loadPart(() => import('../logic/media/upload.logic.ts'))
      root.media.logic()?.forms.setUploads(createUploadLogic(root.services.files, (id) => files().get(id)))
    },
    /** Begins to choose several results of a tool, or finds what was begun. Rejects when its chart cannot be loaded. */
    async openSelection(id: string): Promise<SelectionActor> {
      const {actors, media} = root
      await media.logic()?.prepareSelection()
      actors.tasks()?.send({type: 'selection.open', tool: id})
      const selection = actors.selection(id)
      if (selection === undefined) throw new Error(`Nothing can be chosen in "${id}"`)
      return selection
    },
    /** Resolves with the address that the server gave the file. */
    async store(file: File): Promise<string> {
      const api = await root.services.files()
      const finished = await lastValueFrom(api.upload$(file))
      if (finished.type !== 'upload.finished') throw new Error('The upload ended without an address')
      return finished.file.file_url
    },
    /** Read by the tool's own rules; a tool with nothing stored is not loaded. */
    async stored(id: string): Promise<TaskRecord[]> {
      const userId = root.actors.session()?.getSnapshot().context.user.id
      if (userId === undefined) return []
      try {
        const tasks = await deps.bulk.tasks(userId, id, mostStored)
        if (tasks.length === 0) return []
        const {loadTool} = await deps.loadTools()
        const rules = await loadTool(id)
        return rules === undefined ? [] : tasks.map((task) => toTaskRecord(rules, task))
      } catch (error) {
        deps.log('Stored tasks could not be read', {tool: id, error: String(error)})
        return []
      }
    },
    files,
  }
}
export type ToolActors = ReturnType<typeof createToolActors>
