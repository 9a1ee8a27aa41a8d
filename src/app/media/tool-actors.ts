import {createActor, waitFor, type AnyActorRef, type Observer, type InspectionEvent} from 'xstate'
import type {MediaTool, ToolIdentity} from '#contract/media/media-tool.ts'
import type {GenerationActor} from '#machines/generation/generation.machine.ts'
import type {Song} from '#machines/player/player.types.ts'
import type {ProvisioningActor, ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import type {TaskListActor} from '#machines/tasks/task-list.machine.ts'
import type {SetUp, TaskRecord} from '#machines/tasks/tasks.types.ts'
import type {Root} from '../logic/root.ts'
import type {RootDeps} from '../logic/root-deps.ts'
import {toTaskRecord} from '../logic/media/task-records.ts'
import type {UploadLogic} from '../logic/media/upload.logic.ts'
import {usedTool} from '../logic/stored-session.ts'
import type {HeldFiles} from './held-files.ts'

/** A tool that is open: its rules, the actors of its screen, and the person they belong to. */
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

const setUpOf = (snapshot: ProvisioningSnapshot): SetUp =>
  snapshot.hasTag('ready') ? 'ready' : snapshot.hasTag('settling') ? 'settling' : 'missing'

type ToolActorParts = {
  root: Root
  deps: Pick<RootDeps, 'state' | 'loadTools' | 'bulk' | 'log'>
  files: HeldFiles
  inspect?: Observer<InspectionEvent>
}

/**
 * The forms of the media tools, one each, made outside of React when the tool is first opened and kept until the person
 * leaves: what was typed outlives the screen, and a chart never runs twice for one view that mounts twice.
 */
export function createToolActors({root, deps, files, inspect}: ToolActorParts) {
  const forms = new Map<string, {actor: GenerationActor; session: AnyActorRef; end: () => void}>()

  let uploads: UploadLogic | undefined

  const endAll = () => {
    for (const {end} of forms.values()) end()
    forms.clear()
    files.clear()
  }

  /** A form of the session that runs now. */
  const formOf = async (session: AnyActorRef, tool: MediaTool, provisioning: ProvisioningActor) => {
    const {id} = tool.identity
    const known = forms.get(id)
    if (known?.session === session) return known.actor
    known?.end()
    const {createGenerationLogic} = await import('../logic/media/generation.logic.ts')
    const logic = root.media.logic()
    if (logic === undefined) throw new Error('The charts of the media tools were not loaded')
    // another call may have made it meanwhile
    const raced = forms.get(id)
    if (raced?.session === session) return raced.actor
    const {config, mode} = logic.slices.read(id)
    const actor: GenerationActor = createActor(
      createGenerationLogic(tool, {
        list: () => root.actors.taskList(id),
        uploads: () => uploads,
        slices: logic.slices,
      }),
      {
        id: `generation/${id}`,
        input: {
          tool: id,
          setUp: setUpOf(provisioning.getSnapshot()),
          restored: {...config, ...(mode === undefined ? {} : {mode})},
        },
        ...(inspect && {inspect}),
      },
    ).start()
    let setUp = setUpOf(provisioning.getSnapshot())
    const subscription = provisioning.subscribe((snapshot) => {
      const next = setUpOf(snapshot)
      if (next === setUp) return
      setUp = next
      actor.send({type: 'provision.changed', setUp})
    })
    const end = () => {
      subscription.unsubscribe()
      actor.stop()
    }
    forms.set(id, {actor, session, end})
    session.subscribe({complete: endAll, error: endAll})
    return actor
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
      const [list, provisioning] = [actors.taskList(id), actors.toolProvisioning(id)]
      if (list === undefined || provisioning === undefined) throw new Error(`The actors of "${id}" are not running`)
      return {identity, tool, actors: {generation: await formOf(session, tool, provisioning), list, provisioning}}
    },
    /** Plays a song; the first one starts the player. What comes of it is told by the player, or by the session for it. */
    play(song: Song): void {
      const {session, player} = root.actors
      const running = session()
      const start = () => player()?.send({type: 'track.play', ...song})
      // within the press where that is possible: some browsers want it so
      if (running === undefined || player() !== undefined) return start()
      running.send({type: 'player.use'})
      waitFor(running, () => player() !== undefined).then(start, () => undefined) // rejects when the person leaves
    },
    /** Before the first file is added to a form. Rejects when the chart of an upload cannot be loaded. */
    async prepareUploads(): Promise<void> {
      const {createUploadLogic} = await import('../logic/media/upload.logic.ts')
      uploads ??= createUploadLogic(root.services.files, files.get)
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
    end: endAll,
  }
}
export type ToolActors = ReturnType<typeof createToolActors>
